// SPDX-License-Identifier: Apache-2.0
// An amount of memory as people type it: "32GiB".
#pragma once

#include <cstddef>
#include <string>

namespace kvcheck {

/// Bytes of a whole number and a unit, B, KiB, MiB, GiB or TiB (also as K or KB, in any case, of
/// 1024 each); 0, with or without one, is 0. Throws InputError naming `flag` for anything else, for
/// less than 1 MiB, in which no program starts, and for more than 1024 TiB.
std::size_t memory_size_of(const std::string& flag, const std::string& text);

}  // namespace kvcheck
