// SPDX-License-Identifier: Apache-2.0
// Conventions of scores that a spec may have: a cap, a window and its anchors, slopes, sinks.
// Rotary positions have a file of their own, as they want widths besides.
#pragma once

#include "model/types/feature_set.hpp"
#include "model/types/spec.hpp"
#include "properties/generators/draw.hpp"

namespace kvcheck {

/// A cap on scores, and a window that is small enough for the rows to leave it. `focus` is what the
/// case must have where it is allowed.
void draw_visibility(Draw& draw, FeatureSet allowed, const FeatureSet& focus, Spec& spec);

/// What is added to scores and to their sum.
void draw_additions(Draw& draw, FeatureSet allowed, const FeatureSet& focus, Spec& spec);

/// The same for a case whose longest row has `longest` slots, where that is many: windows of tiles
/// and beyond, more anchors, slopes over long distances.
void draw_long_conventions(Draw& draw, FeatureSet allowed, const FeatureSet& focus, Index longest,
                           Spec& spec);

}  // namespace kvcheck
