// SPDX-License-Identifier: Apache-2.0
// How far a correct program's rotated query or key may be from the exact one: section 12 of
// docs/error_bound.md, equation (11').
#pragma once

#include <vector>

#include "oracles/error_bound.hpp"

namespace kvcheck {

struct RotationBound {
    std::vector<double> radius;  // [heads*Dk]
    double magnitude = 0;  // the largest sum of the sizes of two products, which must not overflow
};

/// Of all heads of a query or key, given by the sizes |x| of its elements and their radii, turned
/// by one row of the rotary table.
RotationBound rotation_bound(const Rounding& rounding, const Spec& spec, const float* row,
                             const std::vector<double>& size, const std::vector<double>& radius);

}  // namespace kvcheck
