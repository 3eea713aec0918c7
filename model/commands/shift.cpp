// SPDX-License-Identifier: Apache-2.0
// How far ids may be lowered and what is left (declared in shift.hpp).
#include "model/commands/shift.hpp"

#include <algorithm>

#include "model/commands/place_in.hpp"
#include "model/types/assert.hpp"

namespace kvcheck {

std::string objection_to(const Shift& shift, const CacheState& state) {
    std::string objection = state.objection_to_row(shift.row, Shift::name);
    if (!objection.empty()) return objection;
    const Index lowest = state.row(shift.row).lowest_id(state.position_ids());
    // No shift at all is one of nothing, also where the next id is below zero.
    if (shift.by == 0 || (shift.by > 0 && shift.by <= lowest)) return {};
    return "shift of row " + std::to_string(shift.row) + " by " + std::to_string(shift.by) +
           ": its lowest id is " + std::to_string(lowest) + " (clause 10)";
}

FeatureSet needed_by(const Shift&) { return {Feature::shift}; }

std::optional<Shift> for_rows(const Shift& shift, const std::vector<Index>& rows) {
    const auto row = place_in(rows, shift.row);
    if (!row) return std::nullopt;
    return Shift{*row, shift.by};
}

void fit(Shift& shift, const CacheState& state) {
    const Index lowest = state.row(shift.row).lowest_id(state.position_ids());
    shift.by = std::clamp<Index>(lowest, 0, shift.by);
}

void apply(const Shift& shift, CacheState& state) {
    KVCHECK_ASSERT(objection_to(shift, state).empty());
    state.row(shift.row) = state.row(shift.row).shifted(shift.by);
}

}  // namespace kvcheck
