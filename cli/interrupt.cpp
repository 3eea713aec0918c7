// SPDX-License-Identifier: Apache-2.0
// Signal handlers (declared in interrupt.hpp).
#include "cli/interrupt.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "cli/streams.hpp"
#include "impl/protocol/children.hpp"
#include "properties/suite.hpp"

namespace kvcheck {
namespace {

// A handler may touch neither the heap nor a string; these are set before it can run.
std::string current_case;
std::string unfinished_case;
const char* current_case_text = "";
const char* unfinished_case_text = "";
std::string own_folder;
const char* own_folder_text = "";  // removed where it is empty; "" where it was there before

constexpr std::size_t workers_max_ever = std::size_t(workers_max);
std::array<volatile pid_t, workers_max_ever> workers{};  // 0 where the place is free
bool is_worker = false;

void tell_stderr(const char* words) {
    const ssize_t ignored = write(STDERR_FILENO, words, std::strlen(words));
    (void)ignored;
}

void say_where_it_was() {
    tell_stderr("\nkvcheck: the subject took this process down; the case that was running is in ");
    tell_stderr(current_case_text);
    tell_stderr("\n");
}

extern "C" void crashed(int signal) {
    if (!is_worker) say_where_it_was();
    std::signal(signal, SIG_DFL);
    raise(signal);
}

bool exit_is_ours = false;

extern "C" void exited() {
    if (exit_is_ours) return;
    if (is_worker) _exit(1);
    tell_stderr(
        "\nkvcheck: the subject called exit in this process; the case that was running is in ");
    tell_stderr(current_case_text);
    tell_stderr("\n");
    _exit(1);
}

extern "C" void interrupted(int signal) {
    for (const pid_t worker : workers) {
        if (worker > 0) kill(worker, SIGTERM);
    }
    for (const pid_t worker : workers) {
        if (worker > 0) waitpid(worker, nullptr, 0);
    }
    kill_children();
    unlink(current_case_text);
    unlink(unfinished_case_text);
    if (!is_worker) {
        rmdir(own_folder_text);
        tell_stderr("\nkvcheck: interrupted; what was saved so far stays\n");
    }
    constexpr int by_signal = 128;  // plus its number, as shells count
    _exit(by_signal + signal);
}

void set_current_case(const std::string& path) {
    current_case = path;
    unfinished_case = path + ".part";
    current_case_text = current_case.c_str();
    unfinished_case_text = unfinished_case.c_str();
}

}  // namespace

void remember_worker(pid_t process) {
    for (volatile pid_t& worker : workers) {
        if (worker != 0) continue;
        worker = process;
        return;
    }
}

void forget_worker(pid_t process) {
    for (volatile pid_t& worker : workers) {
        if (worker == process) worker = 0;
    }
}

void become_worker(const std::string& current_case_file) {
    is_worker = true;
    for (volatile pid_t& worker : workers) worker = 0;
    set_current_case(current_case_file);
}

void remove_when_interrupted(const std::string& folder) {
    own_folder = folder;
    own_folder_text = own_folder.c_str();
}

void handle_interrupts(const std::string& save_folder) {
    set_current_case(current_case_path(save_folder));
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction before = {};
        // Who started us with a signal ignored, as nohup does, wants it ignored.
        if (sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) continue;
        std::signal(signal, interrupted);
    }
}

void end_unread() {
    kill_children();
    unlink(current_case_text);
    unlink(unfinished_case_text);
    _exit(unread_code);
}

void handle_crashes() {
    // Where the stack is what ran out, a handler needs another one.
    static std::array<char, 65536> stack;
    stack_t other = {};
    other.ss_sp = stack.data();
    other.ss_size = stack.size();
    sigaltstack(&other, nullptr);
    struct sigaction action = {};
    action.sa_handler = crashed;
    action.sa_flags = SA_ONSTACK;
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
        sigaction(signal, &action, nullptr);
    }
    exit_is_ours = false;
    std::atexit(exited);
}

void expect_exit() { exit_is_ours = true; }

}  // namespace kvcheck
