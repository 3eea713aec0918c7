// SPDX-License-Identifier: Apache-2.0
// Small decoders of every kind, and how to drive one in chunks.
#pragma once

#include <string>
#include <vector>

#include "impl/decoder.hpp"
#include "oracles/decoder/truth.hpp"

namespace kvcheck {

struct Shaped {
    std::string name;
    DecoderSpec spec;
    DecoderParameters parameters;
};

/// Width 16 with 4 heads; norms, activations, positions, biases, heads and output differ. `layers`
/// deep.
std::vector<Shaped> small_decoders(Index layers, std::uint64_t seed);

/// Ids of one row as a call, and as the oracle takes them.
DecoderCall call_of(const std::vector<Index>& tokens, bool wants_taps = true);
std::vector<DecoderToken> row_of(const std::vector<Index>& tokens);

/// What a fresh one-row decoder answers to the tokens in such chunks; the rest in one more.
struct Driven {
    std::vector<std::vector<double>> logits;  // [tokens]
    std::vector<TokenTaps> taps;              // [tokens]
};
Driven driven(Decoder& decoder, const std::vector<Index>& tokens, const std::vector<Index>& chunks);

}  // namespace kvcheck
