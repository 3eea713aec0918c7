// SPDX-License-Identifier: Apache-2.0
#include "tests/cli/child.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace kvcheck {
namespace {

constexpr unsigned seconds_max = 120;  // for a child; it is ended by a signal then

std::string read_all(int descriptor) {
    std::string text;
    std::array<char, 4096> buffer{};
    ssize_t size = 0;
    while ((size = read(descriptor, buffer.data(), buffer.size())) > 0) {
        text.append(buffer.data(), std::size_t(size));
    }
    return text;
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    return pointers;
}

bool begins_with(const std::string& text, const char* beginning) {
    return text.rfind(beginning, 0) == 0;
}

/// What the child gets: everything but GoogleTest's variables, which are meant for this program,
/// and a seed that is the same every time.
std::vector<std::string> environment_with(const std::vector<std::string>& more) {
    std::vector<std::string> entries;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        if (!begins_with(*entry, "GTEST_") && !begins_with(*entry, "KVCHECK_SEED="))
            entries.emplace_back(*entry);
    }
    const bool has_seed = std::any_of(more.begin(), more.end(), [](const std::string& entry) {
        return begins_with(entry, "KVCHECK_SEED=");
    });
    if (!has_seed) entries.emplace_back("KVCHECK_SEED=tests");
    entries.insert(entries.end(), more.begin(), more.end());
    return entries;
}

}  // namespace

Outcome kvcheck_with(const std::vector<std::string>& arguments, const std::string& folder,
                     const std::vector<std::string>& environment) {
    const TemporaryFolder own;
    const std::string where = folder.empty() ? own.path() : folder;
    std::vector<std::string> words = {KVCHECK_PROGRAM};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<std::string> entries = environment_with(environment);
    const std::vector<char*> argv = pointers_to(words);
    const std::vector<char*> envp = pointers_to(entries);
    const std::string err_path = own.file("stderr");  // a file, so that neither stream can block
    const int err = open(err_path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
    std::array<int, 2> pipe_ends{};
    if (err < 0 || pipe2(pipe_ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    const pid_t child = fork();
    if (child == 0) {
        dup2(pipe_ends[1], STDOUT_FILENO);
        dup2(err, STDERR_FILENO);
        alarm(seconds_max);
        if (chdir(where.c_str()) == 0) execve(KVCHECK_PROGRAM, argv.data(), envp.data());
        _exit(127);
    }
    close(pipe_ends[1]);
    Outcome outcome;
    outcome.out = read_all(pipe_ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    lseek(err, 0, SEEK_SET);
    outcome.err = read_all(err);
    close(pipe_ends[0]);
    close(err);
    return outcome;
}

std::string on_a_terminal(const std::vector<std::string>& arguments, unsigned short columns) {
    const TemporaryFolder own;
    std::vector<std::string> words = {KVCHECK_PROGRAM};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<std::string> entries = environment_with({"TERM=xterm"});
    const std::vector<char*> argv = pointers_to(words);
    const std::vector<char*> envp = pointers_to(entries);
    winsize size = {};
    size.ws_col = columns;
    int terminal = -1;
    const pid_t child = forkpty(&terminal, nullptr, nullptr, &size);
    if (child < 0) throw std::runtime_error("no terminal");
    if (child == 0) {
        alarm(seconds_max);
        if (chdir(own.path().c_str()) == 0) execve(KVCHECK_PROGRAM, argv.data(), envp.data());
        _exit(127);
    }
    std::string text = read_all(terminal);
    close(terminal);
    waitpid(child, nullptr, 0);
    for (std::size_t at = 0; (at = text.find("\r\n", at)) != std::string::npos;) text.erase(at, 1);
    return text;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

std::string line_with(const std::string& text, const std::string& part) {
    for (const std::string& line : lines_of(text)) {
        if (line.find(part) != std::string::npos) return line.substr(line.find_first_not_of(' '));
    }
    return {};
}

}  // namespace kvcheck
