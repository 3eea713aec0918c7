// SPDX-License-Identifier: Apache-2.0
// Tables of sines and cosines: the signal of Vaswani et al. 2017, base 10000, and the angles of
// rotary positions. A table is an exact input of a
// case (clause 5), so that all that matters is that it has the same bits wherever it is made.
#pragma once

#include <vector>

#include "model/types/spec.hpp"

namespace kvcheck {

/// [positions][width]: sin at even elements i of position / 10000^(i / width), cos of the same
/// angle at the odd ones after them, each computed at fifty digits and rounded once to float.
std::vector<float> sinusoidal_table(Index positions, Index width);

/// [positions][width]: of pair i the cosine at i and the sine at width/2 + i of position times
/// base^(-2i / width) (Su et al. 2021), each rounded once to float.
std::vector<float> rotary_table_of(Index positions, Index width, Index base);

}  // namespace kvcheck
