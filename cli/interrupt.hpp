// SPDX-License-Identifier: Apache-2.0
// Ctrl-C, SIGTERM and SIGHUP: children are killed, the file of the running case is removed, what
// was found stays. Crashes of code that was loaded into this process: the file is named.
#pragma once

#include <sys/types.h>

#include <string>

namespace kvcheck {

/// From now on an interruption ends the program with exit code 128 plus its number. `save_folder`
/// is where the file of the running case would be.
void handle_interrupts(const std::string& save_folder);

/// Ends the program as an interruption does, without a word: nobody reads what it prints.
[[noreturn]] void end_unread();
/// An interruption, too, removes this folder where it is empty.
void remove_when_interrupted(const std::string& folder);

/// The processes that work for this one: an interruption ends them first. At most workers_max.
constexpr int workers_max = 64;
void remember_worker(pid_t process);
void forget_worker(pid_t process);
/// In such a process, which says nothing of its own: `current_case_file` is that of its running
/// case.
void become_worker(const std::string& current_case_file);

/// From now on a fatal signal says where the case that was running lies before it ends the program,
/// and an exit() that is not ours ends it as a failure. After handle_interrupts.
void handle_crashes();
/// From now on exit() is ours again.
void expect_exit();

}  // namespace kvcheck
