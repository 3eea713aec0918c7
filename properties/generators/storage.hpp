// SPDX-License-Identifier: Apache-2.0
// Narrow storage of keys and values: which cases have it, and numbers on which its rounding shows.
// Drawn after all else and only for subjects that take it, so that the others' cases stay the same.
#pragma once

#include "model/case.hpp"
#include "properties/generators/draw.hpp"

namespace kvcheck {

/// Gives the case a narrow format now and then. At attention level a few of them become, where they
/// may, one long row, on which a sum in that format would stand still.
void draw_storage(Draw& draw, FeatureSet allowed, bool may_be_long, Case& test_case);

/// Where storage is narrow, makes the numbers of keys and values fit, and in most cases tell: near
/// ties of the rounding, subnormals, a scale far from one, an element that outweighs the others. At
/// layer level x is scaled instead.
void fit_storage(Case& test_case, std::uint64_t seed);

}  // namespace kvcheck
