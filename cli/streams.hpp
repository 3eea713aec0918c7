// SPDX-License-Identifier: Apache-2.0
// The three standard streams at both ends of a run: there when it begins, and nothing lost when it
// ends.
#pragma once

namespace kvcheck {

/// Opens those of the descriptors 0, 1 and 2 that are closed on /dev/null, so that no file or pipe
/// of ours gets one of these numbers. Writing to a standard output that was closed is an error.
void open_standard_streams();

enum class Flushed {
    all,
    lost,    // some of it; a line on standard error says why
    unread,  // whoever read it has stopped, as `head` does: nothing is said of that
};

/// Writes out what is printed so far.
Flushed flush_standard_output();

/// The exit code of a program whose output nobody reads any more, as shells count it.
constexpr int unread_code = 141;

}  // namespace kvcheck
