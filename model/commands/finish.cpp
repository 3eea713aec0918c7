// SPDX-License-Identifier: Apache-2.0
// When a row may be finished and what is left to it (declared in finish.hpp).
#include "model/commands/finish.hpp"

#include "model/commands/place_in.hpp"
#include "model/types/assert.hpp"

namespace kvcheck {

std::string objection_to(const Finish& finish, const CacheState& state) {
    return state.objection_to_row(finish.row, Finish::name);
}

FeatureSet needed_by(const Finish&) { return {Feature::finish}; }

std::optional<Finish> for_rows(const Finish& finish, const std::vector<Index>& rows) {
    const auto row = place_in(rows, finish.row);
    if (!row) return std::nullopt;
    return Finish{*row};
}

void apply(const Finish& finish, CacheState& state) {
    KVCHECK_ASSERT(objection_to(finish, state).empty());
    state.row(finish.row) = state.row(finish.row).finished();
}

}  // namespace kvcheck
