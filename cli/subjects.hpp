// SPDX-License-Identifier: Apache-2.0
// From what is typed after --subject to a subject: a built-in name, mutant:NAME, the path of a
// shared library, or exec:COMMAND. Foreign code runs in a child process unless it is asked into
// this one.
#pragma once

#include <memory>
#include <string>

#include "impl/host/child_process.hpp"
#include "impl/subject.hpp"

namespace kvcheck {

constexpr const char* mutant_prefix = "mutant:";

struct SubjectOptions {
    std::string name = "plain";
    bool in_process = false;  // a library is loaded here rather than in a child
    ChildLimits limits;
};

/// Throws InputError for a name that nothing here answers to, a library that cannot be loaded, a
/// command that cannot say hello.
std::unique_ptr<Subject> make_subject(const SubjectOptions& options);
bool is_mutant(const std::string& name);
/// A library or a command: code that is not ours.
bool is_foreign(const std::string& name);

}  // namespace kvcheck
