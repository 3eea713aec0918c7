// SPDX-License-Identifier: Apache-2.0
// When a row may be copied and where the copy stands (declared in fork.hpp).
#include "model/commands/fork.hpp"

#include "model/commands/place_in.hpp"
#include "model/types/assert.hpp"

namespace kvcheck {

std::string objection_to(const Fork& fork, const CacheState& state) {
    if (state.row_count() >= rows_max) return "fork: too many rows (clause 12)";
    return state.objection_to_row(fork.row, Fork::name);
}

FeatureSet needed_by(const Fork&) { return {Feature::fork}; }

std::optional<Fork> for_rows(const Fork& fork, const std::vector<Index>& rows) {
    const auto row = place_in(rows, fork.row);
    if (!row) return std::nullopt;
    return Fork{*row};
}

void apply(const Fork& fork, CacheState& state) {
    KVCHECK_ASSERT(objection_to(fork, state).empty());
    std::vector<History> rows;
    for (Index r = 0; r < state.row_count(); ++r) rows.push_back(state.row(r));
    rows.push_back(state.row(fork.row));
    state.set_rows(std::move(rows));
}

}  // namespace kvcheck
