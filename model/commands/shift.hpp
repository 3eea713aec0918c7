// SPDX-License-Identifier: Apache-2.0
// The command that lowers the position ids of a row (clause 10).
#pragma once

#include <string>

#include "model/cache_state.hpp"

namespace kvcheck {

/// Empty where the contract admits the command in this state, else the clause it breaks, in words.
std::string objection_to(const Shift& shift, const CacheState& state);
FeatureSet needed_by(const Shift& shift);
/// The same for a batch of these rows; nothing where its row is not among them.
std::optional<Shift> for_rows(const Shift& shift, const std::vector<Index>& rows);

/// Cuts a shift to what the ids of its row admit now, where something before it was changed. Needs:
/// a row that is there.
void fit(Shift& shift, const CacheState& state);

/// Needs: no objection.
void apply(const Shift& shift, CacheState& state);

}  // namespace kvcheck
