// SPDX-License-Identifier: Apache-2.0
// Random programs: what happens to a cache between its appends (clause 10). Drawn valid for the
// state they find, so that nothing is thrown away.
#pragma once

#include "model/case.hpp"
#include "properties/generators/draw.hpp"

namespace kvcheck {

/// What a subject can be asked between appends, beyond forgetting all.
FeatureSet life_features();

/// Adds `commands` commands to the program, and an append after the last of them; tokens are zero.
/// Most commands are followed by tokens, half of these calls give some to every row: a fork or a
/// truncation shows in what is appended then. A quarter of the commands are shifts where these are
/// in the focus. Needs: a capacity that is no limit yet, and one of life_features().
void draw_life(Draw& draw, const FeatureSet& allowed, const FeatureSet& focus, Index commands,
               Case& test_case);

}  // namespace kvcheck
