// SPDX-License-Identifier: Apache-2.0
// How far a correct program's rotated query or key may be from the exact one: section 12 of
// docs/error_bound.md, equation (11').
#pragma once

#include <vector>

#include "model/quarter_turns.hpp"
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

/// The row of the rotary table by which the oracle turns a token. Scores depend on how far two
/// tokens are turned from each other, which no shift changes, so this is the row of its unshifted
/// id; where a shift let that grow beyond the table, turns begin anew (model/quarter_turns.hpp).
inline Index turn_of(const Spec& spec, const Parameters& parameters, Index unshifted_id) {
    const Index rows = Index(parameters.rotary_table.size()) / spec.turned_width();
    return unshifted_id < rows ? unshifted_id : unshifted_id % turns_period;
}

}  // namespace kvcheck
