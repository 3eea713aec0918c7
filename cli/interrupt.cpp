// SPDX-License-Identifier: Apache-2.0
// Signal handlers (declared in interrupt.hpp).
#include "cli/interrupt.hpp"

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

void say(const char* words) {
    const ssize_t ignored = write(STDERR_FILENO, words, std::strlen(words));
    (void)ignored;
}

extern "C" void crashed(int signal) {
    say("\nkvcheck: the subject took this process down; the case that was running is in ");
    say(current_case_text);
    say("\n");
    std::signal(signal, SIG_DFL);
    raise(signal);
}

bool exit_is_ours = false;

extern "C" void exited() {
    if (exit_is_ours) return;
    say("\nkvcheck: the subject called exit in this process; the case that was running is in ");
    say(current_case_text);
    say("\n");
    _exit(1);
}

extern "C" void interrupted(int signal) {
    kill_children();
    unlink(current_case_text);
    unlink(unfinished_case_text);
    say("\nkvcheck: interrupted; what was saved so far stays\n");
    constexpr int by_signal = 128;  // plus its number, as shells count
    _exit(by_signal + signal);
}

}  // namespace

void handle_interrupts(const std::string& save_folder) {
    current_case = current_case_path(save_folder);
    unfinished_case = current_case + ".part";
    current_case_text = current_case.c_str();
    unfinished_case_text = unfinished_case.c_str();
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
