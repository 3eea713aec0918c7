// SPDX-License-Identifier: Apache-2.0
// What the machine can do at most, measured in the same process as everything else.
#pragma once

#include "model/types/spec.hpp"

namespace kvcheck::bench {

/// Runs `steps` steps of independent multiply-adds that keep all of them in registers, with the
/// widest vectors of this machine; returns the floating-point operations done.
double multiply_add(Index steps);

constexpr Index plain_read_multiple = 4096;

/// Sums `count` floats, a multiple of plain_read_multiple, in four streams.
float plain_read(const float* data, Index count);

}  // namespace kvcheck::bench
