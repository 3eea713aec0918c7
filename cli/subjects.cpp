// SPDX-License-Identifier: Apache-2.0
// Names to subjects (declared in subjects.hpp).
#include "cli/subjects.hpp"

#include <filesystem>

#include "impl/abi/plugin.hpp"
#include "impl/catalogue.hpp"
#include "impl/mutants/catalogue.hpp"
#include "impl/protocol/child.hpp"
#include "model/types/error.hpp"

namespace kvcheck {
namespace {

constexpr const char* exec_prefix = "exec:";

bool starts_with(const std::string& text, const std::string& prefix) {
    return text.rfind(prefix, 0) == 0;
}

bool is_library(const std::string& name) {
    return name.find('/') != std::string::npos || std::filesystem::path(name).extension() == ".so";
}

/// One word for /bin/sh.
std::string quoted(const std::string& text) {
    std::string result = "'";
    for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
}

const SubjectEntry* own = nullptr;
std::string program = "kvcheck";

bool is_own(const std::string& name) { return own != nullptr && name == own->name; }

/// This program again, serving a subject from another process.
std::unique_ptr<Subject> serve_in_child(const SubjectOptions& options) {
    const std::string self = std::filesystem::read_symlink("/proc/self/exe");
    return make_child("exec " + quoted(self) + " serve " + quoted(options.name), options.limits);
}

std::unique_ptr<Subject> make_library(const SubjectOptions& options) {
    const std::string& path = options.name;
    if (!std::filesystem::exists(path)) throw InputError("--subject", path, "a file that exists");
    // Without a slash dlopen would look in the system's folders.
    if (options.in_process) return make_plugin(std::filesystem::absolute(path));
    return serve_in_child(options);
}

}  // namespace

void offer(const SubjectEntry& subject) { own = &subject; }

const SubjectEntry* own_subject() { return own; }

void set_program(const std::string& typed) { program = typed; }

std::string typed_command(const std::string& command, const std::string& subject) {
    const std::string begin = (own != nullptr ? program : "kvcheck") + " " + command;
    return is_own(subject) ? begin : begin + " --subject '" + subject + "'";
}

bool is_mutant(const std::string& name) { return starts_with(name, mutant_prefix); }

bool is_foreign(const std::string& name) {
    return is_own(name) || starts_with(name, exec_prefix) || is_library(name);
}

std::unique_ptr<Subject> make_subject(const SubjectOptions& options) {
    const std::string& name = options.name;
    if (is_own(name)) return options.in_process ? own->make(name) : serve_in_child(options);
    if (starts_with(name, exec_prefix))
        return make_child(name.substr(std::string(exec_prefix).size()), options.limits);
    if (is_library(name)) return make_library(options);
    std::string known = own != nullptr ? std::string(own->name) : "";
    for (const SubjectEntry& entry : built_in_subjects()) {
        if (name == entry.name) return entry.make(name);
        known += (known.empty() ? "" : ", ") + std::string(entry.name);
    }
    for (const MutantEntry& entry : mutants()) {
        const std::string typed = mutant_prefix + std::string(entry.subject.name);
        if (name == typed) return entry.subject.make(name);
        known += ", " + typed;
    }
    throw InputError("--subject", "\"" + name + "\"",
                     "one of " + known + ", the path of a library as in ./lib.so, or exec:COMMAND");
}

}  // namespace kvcheck
