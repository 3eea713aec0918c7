// SPDX-License-Identifier: Apache-2.0
// Signal handlers (declared in interrupt.hpp).
#include "cli/interrupt.hpp"

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>

#include "impl/protocol/child_process.hpp"
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
    std::signal(SIGINT, interrupted);
    std::signal(SIGTERM, interrupted);
    std::signal(SIGHUP, interrupted);
}

void handle_crashes() {
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
        std::signal(signal, crashed);
    }
    exit_is_ours = false;
    std::atexit(exited);
}

void expect_exit() { exit_is_ours = true; }

}  // namespace kvcheck
