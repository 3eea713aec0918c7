// SPDX-License-Identifier: Apache-2.0
// The command that forgets a row, or all rows (clause 10).
#pragma once

#include <string>

#include "model/cache_state.hpp"

namespace kvcheck {

/// Empty where the contract admits the command in this state, else the clause it breaks, in words.
std::string objection_to(const Reset& reset, const CacheState& state);
FeatureSet needed_by(const Reset& reset);
/// The same for a batch of these rows; nothing where its row is not among them.
std::optional<Reset> for_rows(const Reset& reset, const std::vector<Index>& rows);

/// Needs: no objection.
void apply(const Reset& reset, CacheState& state);

}  // namespace kvcheck
