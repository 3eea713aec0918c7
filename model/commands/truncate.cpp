// SPDX-License-Identifier: Apache-2.0
// When tokens may be taken back and what is left (declared in truncate.hpp).
#include "model/commands/truncate.hpp"

#include "model/commands/place_in.hpp"
#include "model/types/assert.hpp"

namespace kvcheck {

std::string objection_to(const Truncate& truncate, const CacheState& state) {
    if (truncate.row) {
        std::string objection = state.objection_to_row(*truncate.row, Truncate::name);
        if (!objection.empty()) return objection;
    }
    for (Index r = 0; r < state.row_count(); ++r) {
        if (truncate.row && *truncate.row != r) continue;
        const Index length = state.row(r).length();
        if (truncate.length < 0 || truncate.length > length) {
            return "truncate of row " + std::to_string(r) + " to " +
                   std::to_string(truncate.length) + ": it has " + std::to_string(length) +
                   " slots (clause 10)";
        }
    }
    return {};
}

FeatureSet needed_by(const Truncate& truncate) {
    return {truncate.row ? Feature::truncate_row : Feature::truncate};
}

std::optional<Truncate> for_rows(const Truncate& truncate, const std::vector<Index>& rows) {
    if (!truncate.row) return truncate;
    const auto row = place_in(rows, *truncate.row);
    if (!row) return std::nullopt;
    return Truncate{truncate.length, *row};
}

void apply(const Truncate& truncate, CacheState& state) {
    KVCHECK_ASSERT(objection_to(truncate, state).empty());
    for (Index r = 0; r < state.row_count(); ++r) {
        if (!truncate.row || *truncate.row == r) state.row(r) = state.row(r).up_to(truncate.length);
    }
}

}  // namespace kvcheck
