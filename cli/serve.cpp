// SPDX-License-Identifier: Apache-2.0
// kvcheck serve: a library, or a built-in subject, as a child that speaks docs/protocol.md.
#include "impl/protocol/serve.hpp"

#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/subjects.hpp"
#include "impl/memory/guarded_memory.hpp"
#include "model/types/error.hpp"

namespace kvcheck {

namespace {

/// What cannot be loaded is told to a parent in answer to its hello: one line there, in our words.
std::unique_ptr<Subject> make_served(const SubjectOptions& options, bool as_child,
                                     const StandardOutput& out) {
    try {
        return make_subject(options);
    } catch (const InputError& error) {
        if (!as_child) throw;
        std::string hello;
        std::getline(std::cin, hello);
        const nlohmann::json answer = {{"refused", error.what()}};
        out.write_all(answer.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
        return nullptr;
    }
}

}  // namespace

Exit serve(const SubjectOptions& options, bool as_child) {
    StandardOutput out;
    SubjectOptions here = options;
    here.in_process = true;
    const auto served = make_served(here, as_child, out);
    if (served == nullptr) return Exit::bad_input;
    out.misuse();  // a library may greet while it is loaded
    report_guard_faults(out.descriptor());
    std::ios::sync_with_stdio(false);  // else each byte is a call of its own
    serve(*served, std::cin, out);
    std::clearerr(stdout);  // what did not fit was a subject's and is told
    return Exit::held;
}

}  // namespace kvcheck
