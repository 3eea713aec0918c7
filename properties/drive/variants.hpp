// SPDX-License-Identifier: Apache-2.0
// Cases made from a case: other contents, other splits, other batches. Values in, values out.
#pragma once

#include <functional>
#include <vector>

#include "model/case.hpp"
#include "model/types/capabilities.hpp"

namespace kvcheck {

/// Which part of a token's input a change touches: everything, or only what others may read of it
/// (k and v at attention level, x at layer level).
enum class Part { all, seen_by_others };

/// The same case with the inputs of the tokens that `chosen` names replaced by `content`.
/// `chosen` gets the epoch, row and slot of a token and the token.
using TokenChoice =
    std::function<bool(std::size_t epoch, std::size_t row, std::size_t slot, const Token& token)>;
Case with_contents(const Case& value, Part part, float content, const TokenChoice& chosen);

/// Contents for what must have no influence: large of both signs, so that one of them would win any
/// softmax it entered, yet far from overflow.
std::vector<float> finite_contents();
/// NaN and the infinities.
std::vector<float> nonfinite_contents();

/// Splits of `length` slots into calls: the full pass, single tokens, one more or less at either
/// end, (3, 2, 2, ...), with an empty call, and every composition where the length is at most four.
std::vector<std::vector<Index>> splits_of(Index length);

/// The case with every epoch cut into calls of these sizes; rows that are shorter end earlier.
Case with_chunks(const Case& value, const std::vector<Index>& chunks);
/// The sizes, for people: "3 + 1".
std::string chunks_text(const std::vector<Index>& chunks);

/// The case at attention level with the key and value of every head replaced by those of head 0.
Case with_equal_kv_heads(const Case& value);

/// A case of as many commands for another object in the same process, which agrees with `value` in
/// as little as `features` allow: other extents, scale, capacity and parameters.
Case stranger_to(const Case& value, FeatureSet features);

/// The case with only the given rows, in this order.
Case with_rows(const Case& value, const std::vector<Index>& rows);

}  // namespace kvcheck
