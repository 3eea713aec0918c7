// SPDX-License-Identifier: Apache-2.0
// The three standard streams at both ends of a run: there when it begins, and nothing lost when it
// ends.
#pragma once

namespace kvcheck {

/// Opens those of the descriptors 0, 1 and 2 that are closed on /dev/null, so that no file or pipe
/// of ours gets one of these numbers. Writing to a standard output that was closed is an error.
void open_standard_streams();

/// Writes out what is printed so far; false, with a line on standard error, where some of it was
/// lost.
bool flush_standard_output();

}  // namespace kvcheck
