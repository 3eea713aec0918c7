// SPDX-License-Identifier: Apache-2.0
// A small process beside this one that ends the groups of our children when we can no longer do it:
// after a SIGKILL, which runs no handler, and removes the empty folders that they were started in.
// A child itself dies with us by PR_SET_PDEATHSIG; what it started does not. What left its group as
// well is out of reach then.
#pragma once

#include <sys/types.h>

namespace kvcheck {

/// Starts it where there is none yet. Where no process is to be had, there is none.
void start_keeper();
/// Its process, 0 where there is none.
pid_t keeper_process();

/// From now on, or no longer, `group` is ended with us, and the folder that it was started in is
/// removed where it is empty. Safe in a signal handler.
void keep(pid_t group, const char* folder);
void keep_no_longer(pid_t group);

}  // namespace kvcheck
