// SPDX-License-Identifier: Apache-2.0
// From what is typed after --subject to a subject: a built-in name, mutant:NAME, the path of a
// shared library, or exec:COMMAND. Foreign code runs in a child process unless it is asked into
// this one.
#pragma once

#include <memory>
#include <string>

#include "impl/catalogue.hpp"
#include "impl/protocol/child_process.hpp"
#include "impl/subject.hpp"

namespace kvcheck {

constexpr const char* mutant_prefix = "mutant:";
constexpr const char* default_subject = "fast";  // for every command, without --subject

struct SubjectOptions {
    std::string name = default_subject;
    bool in_process = false;  // a library is loaded here rather than in a child
    int threads = 1;          // of the fast subject; no other built-in one has threads
    ChildLimits limits;
};

/// Throws InputError for a name that nothing here answers to, a library that cannot be loaded, a
/// command that cannot say hello, threads for a subject that has none.
std::unique_ptr<Subject> make_subject(const SubjectOptions& options);
/// Makes a subject of this program's own known by its name; `own` outlives all use of it. Like
/// other foreign code it runs in a child unless it is asked into this process.
void offer(const SubjectEntry& own);
const SubjectEntry* own_subject();  // null where there is none
/// How this program is called, and how a command of it names the subject: for commands that are
/// printed to be typed.
void set_program(const std::string& typed);
std::string typed_command(const std::string& command, const std::string& subject);
bool is_mutant(const std::string& name);
/// The options that make the same subject again, as they are typed before --subject.
std::string typed_options(const SubjectOptions& options);
/// True of exec: and a command.
bool is_program(const std::string& name);
/// A library, a command or this program's own subject: code that is not ours.
bool is_foreign(const std::string& name);

}  // namespace kvcheck
