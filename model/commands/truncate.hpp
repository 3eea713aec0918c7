// SPDX-License-Identifier: Apache-2.0
// The command that takes the last tokens of a row back, or of all rows (clause 10).
#pragma once

#include <string>

#include "model/cache_state.hpp"

namespace kvcheck {

/// Empty where the contract admits the command in this state, else the clause it breaks, in words.
std::string objection_to(const Truncate& truncate, const CacheState& state);
FeatureSet needed_by(const Truncate& truncate);
/// The same for a batch of these rows; nothing where its row is not among them.
std::optional<Truncate> for_rows(const Truncate& truncate, const std::vector<Index>& rows);

/// Needs: no objection.
void apply(const Truncate& truncate, CacheState& state);

}  // namespace kvcheck
