// SPDX-License-Identifier: Apache-2.0
// Every operation of a decoder checked by itself: what a subject shows of it (its taps) against
// fifty digits of the operation on the subject's own inputs. No error is carried from one operation
// to the next, so that the bounds stay as sharp at the last layer as at the first, and a fault is
// named by the operation that shows it.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "oracles/decoder/local_bound.hpp"
#include "oracles/decoder/truth.hpp"

namespace kvcheck {

/// The operations of a layer in their order, between embedding and logits.
enum class Operation {
    embedding,
    layer_input,  // the same bits as the output of the layer below
    attention_norm,
    query,
    key,
    value,
    cached_key,    // rotated, as stored
    cached_value,  // the same bits as the value
    attention,
    projection,
    residual,
    mlp_norm,
    gate,
    up,
    activation,
    down,
    layer_output,
    final_norm,
    logits,
};
std::string_view name_of(Operation operation);

/// A number that a tap showed, and what is right for the inputs that were shown with it.
struct TapFinding {
    Operation operation = Operation::embedding;
    std::optional<std::size_t> layer;  // absent of embedding, final norm and logits
    std::size_t token = 0;
    std::size_t element = 0;
    double seen = 0;
    Answer right;
    double ratio = 0;  // error / bound
};

struct TapVerdict {
    TapFinding worst;                 // the largest ratio
    std::optional<TapFinding> first;  // beyond its bound, in the order of tokens, then operations
    std::size_t numbers = 0;          // that were compared
};

/// `taps` has one entry a token of the row, in slot order; those of padding are not read. A vector
/// of a size that does not follow from the spec is a finding with an infinite ratio.
TapVerdict check_taps(const DecoderSpec& spec, const DecoderParameters& parameters,
                      const DecoderArithmetic& arithmetic, const std::vector<DecoderToken>& tokens,
                      const std::vector<TokenTaps>& taps);

}  // namespace kvcheck
