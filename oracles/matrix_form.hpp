// SPDX-License-Identifier: Apache-2.0
// The second oracle: the same answers written as full matrices from docs/contract.md, in another
// number type and without model/attention.hpp, so that the two can disagree. No bound, no weights
// of padded queries; slow, for tests.
#pragma once

#include <vector>

#include "model/evicted.hpp"
#include "model/token.hpp"
#include "model/types/parameters.hpp"
#include "oracles/answer.hpp"
#include "oracles/storage.hpp"

namespace kvcheck {

/// One row's outputs [slots][o[H*Dv] or y[D]], bounds zero; a dead row's o is taken as zeros.
/// `hidden` says for each token which depths of its path were evicted when it came; empty: nothing
/// ever; `shifted` by how much its row had been shifted, likewise. Tokens of which
/// anything is needed must be finite.
std::vector<std::vector<Answer>> matrix_form(const Spec& spec, const Parameters& parameters,
                                             const std::vector<Token>& tokens,
                                             const std::vector<EvictedSlots>& hidden = {},
                                             StoredKeys stored_keys = StoredKeys::raw,
                                             const std::vector<Index>& shifted = {});

}  // namespace kvcheck
