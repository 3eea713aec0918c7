// SPDX-License-Identifier: Apache-2.0
// What random cases contained, counted.
#pragma once

#include <array>

#include "model/case.hpp"
#include "properties/generators/values.hpp"

namespace kvcheck {

/// Shares are of `cases`.
struct Coverage {
    Index cases = 0;
    Index unequal_padding = 0;  // two rows whose padding differs
    Index warm_chunk = 0;       // two or more tokens onto a cache that holds some
    Index two_kv_heads = 0;
    Index long_rows = 0;    // 17 or more tokens
    Index longer_rows = 0;  // 33 or more: more than a tile of 32 holds
    Index wide = 0;         // keys or values more than 64 wide
    Index not_uniform = 0;  // values of another family than plain uniform
    FeatureSet features;    // of any case
    std::array<Index, std::size_t(family_count)> families{};

    void add(const Case& test_case, Family family);
    void add(const Coverage& other);
};

}  // namespace kvcheck
