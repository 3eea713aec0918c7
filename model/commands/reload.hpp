// SPDX-License-Identifier: Apache-2.0
// The command after which another object goes on from what this one saved (clause 10).
#pragma once

#include <string>

#include "model/cache_state.hpp"

namespace kvcheck {

/// Empty: a state can always be saved.
std::string objection_to(const Reload& reload, const CacheState& state);
FeatureSet needed_by(const Reload& reload);
/// The same for a batch of any rows.
std::optional<Reload> for_rows(const Reload& reload, const std::vector<Index>& rows);

/// The rows stay as they are, which is the claim; what was published is not saved (clause 11).
void apply(const Reload& reload, CacheState& state);

}  // namespace kvcheck
