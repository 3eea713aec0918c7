// SPDX-License-Identifier: Apache-2.0
// Where the softmax states of some rows lie in one array: all outputs, all sums, all references.
#pragma once

#include "impl/fast/kernels.hpp"
#include "impl/fast/panels.hpp"

namespace kvcheck::fast {

/// Floats of the states of `rows` rows.
inline Index state_floats(Index rows, Index value_width) {
    return rows * (padded(value_width) + sum_lanes) + rounded_up(rows, cache_line_floats);
}

/// The states of `rows` rows in an array of that many floats.
inline Softmax state_at(float* data, Index rows, Index value_width) {
    float* const sum = data + rows * padded(value_width);
    return {.output = data, .reference = sum + rows * sum_lanes, .sum = sum};
}

}  // namespace kvcheck::fast
