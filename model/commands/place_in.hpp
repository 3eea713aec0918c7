// SPDX-License-Identifier: Apache-2.0
// Where a row stands among chosen ones.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "model/types/spec.hpp"

namespace kvcheck {

inline std::optional<Index> place_in(const std::vector<Index>& rows, Index row) {
    const auto found = std::find(rows.begin(), rows.end(), row);
    if (found == rows.end()) return std::nullopt;
    return Index(found - rows.begin());
}

}  // namespace kvcheck
