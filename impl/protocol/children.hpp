// SPDX-License-Identifier: Apache-2.0
// The children of this process that are alive: who they are, and how all of them are ended at once,
// with what they started. What leaves its process group falls to us when its parent dies, because
// we ask the system for it, and is ended, too.
#pragma once

#include <sys/types.h>

namespace kvcheck {

/// From now on orphans of our children become ours. Children that are there already, from before
/// this program was executed, are left alone.
void adopt_orphans();

/// `child` leads a process group of its own and works in `folder`, which outlives it.
void remember_child(pid_t child, const char* folder);
void forget_child(pid_t child);

/// In a copy of the process that had them: it has none, and has not asked for orphans.
void forget_all_children();

/// Ends every child of ours that nobody remembers: what those that ended have left behind. Without
/// /proc it finds none.
void end_strays();

/// Ends everything at once and removes the folders that are empty; safe in a signal handler.
void kill_children();

}  // namespace kvcheck
