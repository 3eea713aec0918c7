// SPDX-License-Identifier: Apache-2.0
// The command after which rows continue what other rows hold (clause 10).
#pragma once

#include <string>

#include "model/cache_state.hpp"

namespace kvcheck {

/// Empty where the contract admits the command in this state, else the clause it breaks, in words.
std::string objection_to(const Reorder& reorder, const CacheState& state);
FeatureSet needed_by(const Reorder& reorder);
/// The same for a batch of these rows; nothing where no row that it leaves is among them.
std::optional<Reorder> for_rows(const Reorder& reorder, const std::vector<Index>& rows);

/// Needs: no objection.
void apply(const Reorder& reorder, CacheState& state);

}  // namespace kvcheck
