// SPDX-License-Identifier: Apache-2.0
// How much memory a process group holds at this moment, as Linux tells it in /proc. A limit on
// what may be reserved does not see shared mappings and is none for programs that reserve without
// touching; this does and is.
#pragma once

#include <sys/types.h>

#include <cstddef>

namespace kvcheck {

/// Resident bytes of all processes of `group` together; 0 where /proc does not say.
std::size_t resident_bytes(pid_t group);

}  // namespace kvcheck
