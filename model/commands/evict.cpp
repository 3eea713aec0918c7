// SPDX-License-Identifier: Apache-2.0
// Which slots may be evicted and what is left (declared in evict.hpp).
#include "model/commands/evict.hpp"

#include "model/commands/place_in.hpp"
#include "model/types/assert.hpp"

namespace kvcheck {

std::string objection_to(const Evict& evict, const CacheState& state) {
    std::string objection = state.objection_to_row(evict.row, Evict::name);
    if (!objection.empty()) return objection;
    const Index length = state.row(evict.row).length();
    if (evict.begin >= 0 && evict.begin < evict.end && evict.end <= length) return {};
    return "evict of slots " + std::to_string(evict.begin) + " to " + std::to_string(evict.end) +
           " of row " + std::to_string(evict.row) + ": it has " + std::to_string(length) +
           " slots (clause 10)";
}

FeatureSet needed_by(const Evict&) { return {Feature::evict}; }

std::optional<Evict> for_rows(const Evict& evict, const std::vector<Index>& rows) {
    const auto row = place_in(rows, evict.row);
    if (!row) return std::nullopt;
    return Evict{*row, evict.begin, evict.end};
}

void apply(const Evict& evict, CacheState& state) {
    KVCHECK_ASSERT(objection_to(evict, state).empty());
    state.row(evict.row) = state.row(evict.row).without(evict.begin, evict.end);
}

}  // namespace kvcheck
