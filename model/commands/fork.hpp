// SPDX-License-Identifier: Apache-2.0
// The command that adds a row with another one's past (clause 10).
#pragma once

#include <string>

#include "model/cache_state.hpp"

namespace kvcheck {

/// Empty where the contract admits the command in this state, else the clause it breaks, in words.
std::string objection_to(const Fork& fork, const CacheState& state);
FeatureSet needed_by(const Fork& fork);
/// The same for a batch of these rows; nothing where its row is not among them.
std::optional<Fork> for_rows(const Fork& fork, const std::vector<Index>& rows);

/// Needs: no objection.
void apply(const Fork& fork, CacheState& state);

}  // namespace kvcheck
