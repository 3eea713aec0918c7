// SPDX-License-Identifier: Apache-2.0
// The command that hides slots of a row for good (clause 10).
#pragma once

#include <string>

#include "model/cache_state.hpp"

namespace kvcheck {

/// Empty where the contract admits the command in this state, else the clause it breaks, in words.
std::string objection_to(const Evict& evict, const CacheState& state);
FeatureSet needed_by(const Evict& evict);
/// The same for a batch of these rows; nothing where its row is not among them.
std::optional<Evict> for_rows(const Evict& evict, const std::vector<Index>& rows);

/// Needs: no objection.
void apply(const Evict& evict, CacheState& state);

}  // namespace kvcheck
