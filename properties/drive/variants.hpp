// SPDX-License-Identifier: Apache-2.0
// Cases made from a case: other contents, other splits, another object. Values in, values out.
#pragma once

#include <functional>
#include <vector>

#include "model/splits.hpp"
#include "model/walk.hpp"

namespace kvcheck {

/// The same case with the inputs of the tokens that `chosen` names replaced by `content`.
using TokenChoice = std::function<bool(const TokenSite& site, const Token& token)>;
Case with_contents(const Case& test_case, float content, const TokenChoice& chosen);
/// Every token follows the slot before it.
Case without_branches(const Case& test_case);
bool every_token(const TokenSite& site, const Token& token);

/// Contents for what must have no influence: large of both signs, so that one of them would win any
/// softmax it entered, yet far from overflow, where they are stored, too.
std::vector<float> finite_contents(const Spec& spec);
/// NaN and the infinities.
std::vector<float> nonfinite_contents();

/// Splits of `length` slots into calls: the full pass, single tokens, one more or less at either
/// end, (3, 2, 2, ...), with an empty call, and every composition where the length is at most four.
std::vector<std::vector<Index>> splits_of(Index length);
/// Every way of writing `length` as a sum, in the order of the bits that say after which slots a
/// call ends.
std::vector<Index> composition(Index length, unsigned cuts);

/// The case with every segment cut into calls of these sizes; rows that are shorter end earlier.
Case with_chunks(const Case& test_case, const std::vector<Index>& chunks);
/// The sizes, for people: "3 + 1", "1 + 1 + ... (65 times)".
std::string chunks_text(const std::vector<Index>& chunks);

/// The case at attention level with the key and value of every head replaced by those of head 0.
Case with_equal_kv_heads(const Case& test_case);

/// A case of as many commands for another object in the same process, which agrees with the given
/// one in as little as `features` allow: other extents, scale, capacity and parameters.
Case stranger_to(const Case& test_case, FeatureSet features);

}  // namespace kvcheck
