// SPDX-License-Identifier: Apache-2.0
// Names to subjects (declared in subjects.hpp).
#include "cli/subjects.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "cli/did_you_mean.hpp"
#include "cli/shell_words.hpp"
#include "impl/abi/plugin.hpp"
#include "impl/catalogue.hpp"
#include "impl/fast/fast.hpp"
#include "impl/kept_environment.hpp"
#include "impl/mutants/catalogue.hpp"
#include "impl/protocol/child.hpp"
#include "impl/protocol/resident_set.hpp"
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

const SubjectEntry* own = nullptr;
std::string program = "kvcheck";
std::string program_path;  // for where there is no /proc

bool is_own(const std::string& name) { return own != nullptr && name == own->name; }

/// This program again, serving a subject from another process.
std::unique_ptr<Subject> serve_in_child(const SubjectOptions& options) {
    namespace fs = std::filesystem;
    std::error_code error;
    fs::path self = fs::read_symlink("/proc/self/exe", error);
    if (error) self = program_path;
    const std::string name = is_own(options.name)
                                 ? options.name
                                 : fs::absolute(options.name).lexically_normal().string();
    return make_child("exec " + quoted_word(self) + " serve " + quoted_word(name) + " --child",
                      options.limits, {options.name, true});
}

bool is_shared_object(const std::string& path) {
    constexpr std::string_view magic =
        "\x7f"
        "ELF";
    std::string begin(magic.size(), ' ');
    std::ifstream(path, std::ios::binary).read(begin.data(), std::streamsize(begin.size()));
    return begin == magic;
}

/// The program behind exec:. Where it does not start, a file that the command names and that is not
/// here is the likeliest reason, and a program that looked for it elsewhere cannot say so.
std::unique_ptr<Subject> make_program(const SubjectOptions& options) {
    const std::string command = options.name.substr(std::string(exec_prefix).size());
    try {
        return make_child(with_absolute_paths(command), options.limits, {options.name, false});
    } catch (const InputError&) {
        const std::vector<std::string> missing = missing_files(command);
        if (missing.empty()) throw;
        std::error_code error;
        throw InputError(
            options.name,
            "no file " + missing.front() + " in " + std::filesystem::current_path(error).string(),
            "the files that the command names, as seen from here");
    }
}

std::unique_ptr<Subject> make_library(const SubjectOptions& options) {
    const std::string& path = options.name;
    std::error_code error;
    const bool exists = std::filesystem::exists(path, error);
    if (error) throw InputError("--subject", path + ": " + error.message(), "a file that exists");
    if (!exists) throw InputError("--subject", path, "a file that exists");
    if (!is_shared_object(path)) {
        throw InputError("--subject", path + ", which is no shared library",
                         "one, or exec: and how a program is run, as in 'exec:python3 mine.py'");
    }
    // Without a slash dlopen would look in the system's folders.
    if (options.in_process) {
        return in_its_own_environment(
            [&] { return make_plugin(std::filesystem::absolute(path).lexically_normal()); });
    }
    return serve_in_child(options);
}

/// Throws the error that lists what there is.
[[noreturn]] void refuse_unknown(const std::string& name) {
    std::vector<std::string> known;
    if (own != nullptr) known.emplace_back(own->name);
    for (const SubjectEntry& entry : built_in_subjects()) known.emplace_back(entry.name);
    for (const MutantEntry& entry : mutants()) {
        known.push_back(mutant_prefix + std::string(entry.subject.name));
    }
    std::string hint = did_you_mean(name, known);
    if (hint.empty()) hint = did_you_mean(mutant_prefix + name, known);
    std::error_code none;
    if (std::filesystem::is_regular_file(name, none))
        hint = "; " + name + " is a file here: a program is given as exec: and how it is run";
    throw InputError("--subject", "\"" + name + "\"",
                     "one of " + fmt::format("{}", fmt::join(known, ", ")) +
                         ", the path of a library as in ./lib.so, or exec:COMMAND" + hint);
}

/// The cases of a run are small. With several threads every step is shared out, or none of them
/// would leave the first thread; where work is cut stays as it is, so verdicts do too.
std::unique_ptr<Subject> make_threaded(const SubjectOptions& options) {
    FastOptions fast;
    fast.threads = options.threads;
    if (options.threads > 1) fast.parallel_from = 0;
    return make_fast(options.name, fast);
}

}  // namespace

void offer(const SubjectEntry& subject) { own = &subject; }

const SubjectEntry* own_subject() { return own; }

void set_program(const std::string& typed) {
    program = typed;
    const auto* const path = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
    std::error_code error;
    if (path != nullptr) program_path = std::filesystem::absolute(path, error);
}

std::string typed_command(const std::string& command, const std::string& subject) {
    const std::string begin = (own != nullptr ? shell_word(program) : "kvcheck") + " " + command;
    return is_own(subject) ? begin : begin + " --subject " + quoted_word(subject);
}

std::string typed_options(const SubjectOptions& options) {
    return options.threads == 1 ? "" : fmt::format(" --threads {}", options.threads);
}

bool is_mutant(const std::string& name) { return starts_with(name, mutant_prefix); }

bool is_program(const std::string& name) { return starts_with(name, exec_prefix); }

bool is_foreign(const std::string& name) {
    return is_own(name) || is_program(name) || is_library(name);
}

std::unique_ptr<Subject> make_subject(const SubjectOptions& options) {
    const bool watched = options.limits.memory_bytes_max > 0 && is_foreign(options.name);
    if (watched && !options.in_process && resident_bytes(getpgrp()) == 0) {
        fmt::print(stderr,
                   "kvcheck: no /proc here, so what a child holds cannot be seen: the memory limit "
                   "bounds its own data only, not what it shares\n");
    }
    const std::string& name = options.name;
    const bool has_threads = name == "fast" && !is_own(name);
    if (options.threads != 1 && !has_threads) {
        throw InputError("--threads", std::to_string(options.threads),
                         "--subject fast, whose threads these would be");
    }
    if (is_own(name)) {
        if (!options.in_process) return serve_in_child(options);
        return in_its_own_environment([&] { return own->make(name); });
    }
    if (is_program(name)) return make_program(options);
    if (is_library(name)) return make_library(options);
    if (has_threads) return make_threaded(options);
    for (const SubjectEntry& entry : built_in_subjects()) {
        if (name == entry.name) return entry.make(name);
    }
    for (const MutantEntry& entry : mutants()) {
        if (name == mutant_prefix + std::string(entry.subject.name))
            return entry.subject.make(name);
    }
    refuse_unknown(name);
}

}  // namespace kvcheck
