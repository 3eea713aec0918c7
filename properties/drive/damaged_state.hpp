// SPDX-License-Identifier: Apache-2.0
// What may become of a saved state on its way: cut off, gone on, bits flipped, words changed or
// exchanged. Nothing is known of its format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace kvcheck {

struct DamagedState {
    std::string what;  // "cut to 12 of 80 bytes"
    std::vector<std::byte> bytes;
};

/// Some twenty, none equal to `saved`; where they are damaged depends on `seed` alone.
std::vector<DamagedState> damaged_states(const std::vector<std::byte>& saved, std::uint64_t seed);

}  // namespace kvcheck
