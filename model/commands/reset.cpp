// SPDX-License-Identifier: Apache-2.0
// When a reset is admissible and what it does (declared in reset.hpp).
#include "model/commands/reset.hpp"

#include "model/commands/place_in.hpp"
#include "model/types/assert.hpp"

namespace kvcheck {

std::string objection_to(const Reset& reset, const CacheState& state) {
    return reset.row ? state.objection_to_row(*reset.row, Reset::name) : std::string();
}

FeatureSet needed_by(const Reset& reset) {
    return {reset.row ? Feature::reset_row : Feature::reset};
}

std::optional<Reset> for_rows(const Reset& reset, const std::vector<Index>& rows) {
    if (!reset.row) return reset;
    const auto row = place_in(rows, *reset.row);
    if (!row) return std::nullopt;
    return Reset{*row};
}

void apply(const Reset& reset, CacheState& state) {
    KVCHECK_ASSERT(objection_to(reset, state).empty());
    if (!reset.row) state.prefixes().clear();
    for (Index r = 0; r < state.row_count(); ++r) {
        if (!reset.row || *reset.row == r) state.row(r) = History();
    }
}

}  // namespace kvcheck
