// SPDX-License-Identifier: Apache-2.0
// What a layer has besides attention: packed projections, the position table, and the work arrays
// of a wave of tokens. Tokens of all rows stand in one line, so that a matrix is read once for all
// of them.
#pragma once

#include <vector>

#include "impl/fast/projection.hpp"
#include "model/types/spec.hpp"

namespace kvcheck::fast {

/// One array of a wave: [tokens][stride].
struct TokenArray {
    float* data;
    Index stride;

    float* at(Index token) const { return data + token * stride; }
};

struct LayerArrays {
    LayerArrays(const Spec& spec, const Parameters& parameters);

    PackedProjection query_weight, key_weight, value_weight, output_weight;
    Memory position_table;  // [positions][D]
    Index tokens_max;       // of a wave
    Memory memory;          // of the arrays below
    TokenArray x, query, key, value, attended, y;
};

}  // namespace kvcheck::fast
