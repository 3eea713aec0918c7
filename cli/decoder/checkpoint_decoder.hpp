// SPDX-License-Identifier: Apache-2.0
// A checkpoint made ready to be run, and greedy continuation by the textbook decoder.
#pragma once

#include <string>
#include <vector>

#include "impl/decoder.hpp"
#include "model/checkpoint.hpp"
#include "oracles/decoder/local_bound.hpp"

namespace kvcheck {

/// With its rotary table, whose sines and cosines are rounded once from the exact ones.
Checkpoint ready_checkpoint(const std::string& path);

/// What a program in float declares that makes the rotary table itself: an angle is a power, a
/// quotient and a product of rounded numbers.
DecoderArithmetic own_table_arithmetic();

/// The number of the largest logit, the first of several.
Index largest_of(const std::vector<double>& logits);

/// Appends `prompt` in one call, then one token at a time, each the largest logit of the last one;
/// until there are `tokens` in all, or `end` follows. Returns them with the prompt.
/// Needs: room for them; at least one in the prompt.
std::vector<Index> continued(Decoder& decoder, const std::vector<Index>& prompt, Index tokens,
                             Index end);

}  // namespace kvcheck
