// SPDX-License-Identifier: Apache-2.0
// What a prefix is known by (clause 11).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "model/types/spec.hpp"

namespace kvcheck {

/// The caller promises that two prefixes of one object whose keys are equal hold the same tokens.
/// Equal are keys of which every label, every flag and the revision are.
struct PrefixKey {
    std::span<const Index> labels;       // [slots], 0 to 2^53 - 1, as token ids are
    std::span<const std::uint8_t> real;  // [slots], 0 for padding
    std::string_view revision;           // of whatever else decides what is stored of a token
};

}  // namespace kvcheck
