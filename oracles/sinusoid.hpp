// SPDX-License-Identifier: Apache-2.0
// The table of sines and cosines of Vaswani et al. 2017, base 10000. A table is an exact input of a
// case (clause 5), so that all that matters is that it has the same bits wherever it is made.
#pragma once

#include <vector>

#include "model/types/spec.hpp"

namespace kvcheck {

/// [positions][width]: sin at even elements i of position / 10000^(i / width), cos of the same
/// angle at the odd ones after them, each computed at fifty digits and rounded once to float.
std::vector<float> sinusoidal_table(Index positions, Index width);

}  // namespace kvcheck
