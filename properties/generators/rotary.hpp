// SPDX-License-Identifier: Apache-2.0
// Rotary positions for random cases: whether and how much of a head is turned, and tables, those of
// the usual formula and pairs of any angle, of which each row and each pair differs from all
// others.
#pragma once

#include <vector>

#include "model/types/feature_set.hpp"
#include "model/types/spec.hpp"
#include "properties/generators/draw.hpp"

namespace kvcheck {

/// Now and then pairs of elements that are turned, in a head that is wide enough or may become so.
void draw_rotary(Draw& draw, FeatureSet allowed, const FeatureSet& focus, Spec& spec);

/// [positions][width]
/// Of quarter turns, which shifts need.
std::vector<float> draw_quarter_turns(Draw& draw, Index positions, Index width);
std::vector<float> draw_rotary_table(Draw& draw, Index positions, Index width);

}  // namespace kvcheck
