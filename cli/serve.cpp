// SPDX-License-Identifier: Apache-2.0
// kvcheck serve: a library, or a built-in subject, as a child that speaks docs/protocol.md.
#include "impl/protocol/serve.hpp"

#include <cstdio>
#include <iostream>

#include "cli/commands.hpp"
#include "cli/subjects.hpp"
#include "impl/memory/guarded_memory.hpp"

namespace kvcheck {

Exit serve(const SubjectOptions& options) {
    StandardOutput out;
    SubjectOptions here = options;
    here.in_process = true;
    const auto served = make_subject(here);
    out.misuse();  // a library may greet while it is loaded
    report_guard_faults(out.descriptor());
    std::ios::sync_with_stdio(false);  // else each byte is a call of its own
    serve(*served, std::cin, out);
    std::clearerr(stdout);  // what did not fit was a subject's and is told
    return Exit::held;
}

}  // namespace kvcheck
