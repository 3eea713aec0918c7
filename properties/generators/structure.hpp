// SPDX-License-Identifier: Apache-2.0
// The structure of a case: spec, lengths, padding, calls. Valid by construction, within what a
// subject can do, biased to where cached attention goes wrong; nothing is ever discarded.
#pragma once

#include <string_view>
#include <vector>

#include "model/case.hpp"
#include "properties/generators/draw.hpp"

namespace kvcheck {

/// A case whose numbers are all zero. `allowed` are the subject's features, `focus` what the case
/// must contain (Property::focus).
Case draw_structure(Draw& draw, Level level, FeatureSet allowed, const FeatureSet& focus);

/// How far the cases drawn here reach, a line for each extent. What lies beyond is in
/// extremes.hpp.
const std::vector<std::string_view>& reach_of_structures();

}  // namespace kvcheck
