// SPDX-License-Identifier: Apache-2.0
// When rows may be exchanged and what they hold then (declared in reorder.hpp).
#include "model/commands/reorder.hpp"

#include "model/commands/place_in.hpp"
#include "model/types/assert.hpp"

namespace kvcheck {

std::string objection_to(const Reorder& reorder, const CacheState& state) {
    if (reorder.sources.empty()) return "reorder: no source (clause 10)";
    if (Index(reorder.sources.size()) > rows_max) return "reorder: too many rows (clause 12)";
    for (const Index source : reorder.sources) {
        std::string objection = state.objection_to_row(source, Reorder::name);
        if (!objection.empty()) return objection;
    }
    return {};
}

FeatureSet needed_by(const Reorder&) { return {Feature::reorder}; }

std::optional<Reorder> for_rows(const Reorder& reorder, const std::vector<Index>& rows) {
    Reorder part;
    for (const Index source : reorder.sources) {
        if (const auto row = place_in(rows, source)) part.sources.push_back(*row);
    }
    if (part.sources.empty()) return std::nullopt;
    return part;
}

void apply(const Reorder& reorder, CacheState& state) {
    KVCHECK_ASSERT(objection_to(reorder, state).empty());
    std::vector<History> rows;
    for (const Index source : reorder.sources) rows.push_back(state.row(source));
    state.set_rows(std::move(rows));
}

}  // namespace kvcheck
