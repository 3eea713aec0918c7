// SPDX-License-Identifier: Apache-2.0
// kvcheck serve: a library, or a built-in subject, as a child that speaks docs/protocol.md.
#include "impl/host/serve.hpp"

#include <iostream>

#include "cli/commands.hpp"
#include "cli/subjects.hpp"

namespace kvcheck {

Exit serve(const std::string& subject) {
    const auto served = make_subject({.name = subject, .in_process = true, .limits = {}});
    serve(*served, std::cin, std::cout);
    return Exit::held;
}

}  // namespace kvcheck
