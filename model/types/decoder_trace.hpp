// SPDX-License-Identifier: Apache-2.0
// Everything a decoder computes of one token, each vector by its name: what the oracle makes of it
// at fifty digits, and what a subject may show of it (its taps), by which every operation is
// checked with the subject's own inputs.
#pragma once

#include <vector>

namespace kvcheck {

template <class Scalar>
struct LayerTrace {
    using Vector = std::vector<Scalar>;

    Vector input;         // [D] of the residual stream
    Vector normed;        // [D]
    Vector query;         // [H*Dk] before its rotation
    Vector key;           // [Hkv*Dk] before its rotation
    Vector stored_key;    // [Hkv*Dk] in the cache, rotated
    Vector stored_value;  // [Hkv*Dv] in the cache
    Vector value;         // [Hkv*Dv]
    Vector attended;      // [H*Dv]
    Vector projected;     // [D]
    Vector residual;      // [D] input + projected
    Vector mlp_normed;    // [D]
    Vector gate;          // [F], only with SwiGLU
    Vector up;            // [F]
    Vector activated;     // [F]
    Vector down;          // [D]
    Vector output;        // [D] residual + down
};

template <class Scalar>
struct TokenTrace {
    std::vector<LayerTrace<Scalar>> layers;  // empty of padding
    std::vector<Scalar> normed;              // [D] after the final norm
    std::vector<Scalar> logits;              // [V]
};

/// What a subject shows: its own numbers, which a double holds exactly.
using TokenTaps = TokenTrace<double>;

}  // namespace kvcheck
