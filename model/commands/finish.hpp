// SPDX-License-Identifier: Apache-2.0
// The command after which a row gets no more tokens (clause 10).
#pragma once

#include <string>

#include "model/cache_state.hpp"

namespace kvcheck {

/// Empty where the contract admits the command in this state, else the clause it breaks, in words.
std::string objection_to(const Finish& finish, const CacheState& state);
FeatureSet needed_by(const Finish& finish);
/// The same for a batch of these rows; nothing where its row is not among them.
std::optional<Finish> for_rows(const Finish& finish, const std::vector<Index>& rows);

/// Needs: no objection.
void apply(const Finish& finish, CacheState& state);

}  // namespace kvcheck
