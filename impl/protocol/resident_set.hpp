// SPDX-License-Identifier: Apache-2.0
// How much memory a process group holds at this moment, as Linux tells it in /proc. It sees what a
// limit on data does not: shared mappings, and what of a huge reservation is really touched.
#pragma once

#include <sys/types.h>

#include <cstddef>

namespace kvcheck {

/// Resident bytes of all processes of `group` together; 0 where /proc does not say.
std::size_t resident_bytes(pid_t group);

}  // namespace kvcheck
