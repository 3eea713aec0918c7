// SPDX-License-Identifier: Apache-2.0
// What a decoder must answer for one row of tokens: model/decoder.hpp run at fifty digits. The
// bounds of its numbers stand in adjoint.hpp (logits alone) and taps.hpp (every operation by
// itself).
#pragma once

#include <vector>

#include "model/history.hpp"
#include "model/types/decoder_spec.hpp"
#include "model/types/decoder_trace.hpp"
#include "oracles/answer.hpp"

namespace kvcheck {

/// A token of a decoder's row.
struct DecoderToken {
    Index id = 0;
    bool real = true;  // false: padding, whose id is not read

    bool operator==(const DecoderToken&) const = default;
};

/// Real tokens of these ids.
std::vector<DecoderToken> real_tokens(const std::vector<Index>& ids);

/// Every intermediate number of a row, as the sum of two doubles: about 32 digits.
struct DecoderTruth {
    History history;                 // of the row; its nodes in slot order are `nodes`
    std::vector<const Node*> nodes;  // [tokens]
    std::vector<DecoderToken> tokens;
    std::vector<TokenTrace<double>> high;  // [tokens] rounded to double
    std::vector<TokenTrace<double>> low;   // [tokens] what that rounding left
};

/// Needs: ids below the vocabulary, positions within the tables.
DecoderTruth decoder_truth(const DecoderSpec& spec, const DecoderParameters& parameters,
                           const std::vector<DecoderToken>& tokens);

/// Of a history whose tokens' inputs are one number, the id. What is evicted, and since when, is
/// part of it: a token's numbers stay what they were when it came (clause 10).
DecoderTruth decoder_truth(const DecoderSpec& spec, const DecoderParameters& parameters,
                           const History& history);

/// The history of a row of such tokens.
History decoder_history(const std::vector<DecoderToken>& tokens);

/// The answers whose values are high + low.
std::vector<Answer> answers_of(const std::vector<double>& high, const std::vector<double>& low,
                               const std::vector<double>& bound);

}  // namespace kvcheck
