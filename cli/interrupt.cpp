// SPDX-License-Identifier: Apache-2.0
#include "cli/interrupt.hpp"

#include <unistd.h>

#include <csignal>

#include "impl/host/child_process.hpp"
#include "properties/suite.hpp"

namespace kvcheck {
namespace {

// A handler may touch neither the heap nor a string; these are set before it can run.
std::string current_case;
std::string unfinished_case;
const char* current_case_text = "";
const char* unfinished_case_text = "";

extern "C" void interrupted(int) {
    kill_children();
    unlink(current_case_text);
    unlink(unfinished_case_text);
    constexpr char words[] = "\nkvcheck: interrupted; what was saved so far stays\n";
    const ssize_t ignored = write(STDERR_FILENO, words, sizeof words - 1);
    (void)ignored;
    constexpr int by_signal = 130;
    _exit(by_signal);
}

}  // namespace

void handle_interrupts(const std::string& save_folder) {
    current_case = current_case_path(save_folder);
    unfinished_case = current_case + ".part";
    current_case_text = current_case.c_str();
    unfinished_case_text = unfinished_case.c_str();
    std::signal(SIGINT, interrupted);
    std::signal(SIGTERM, interrupted);
}

}  // namespace kvcheck
