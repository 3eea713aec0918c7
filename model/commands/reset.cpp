// SPDX-License-Identifier: Apache-2.0
// When a reset is admissible and what it does (declared in reset.hpp).
#include "model/commands/reset.hpp"

#include <algorithm>

#include "model/types/assert.hpp"

namespace kvcheck {

std::string objection_to(const Reset& reset, const CacheState& state) {
    const bool known = !reset.row || (*reset.row >= 0 && *reset.row < state.row_count());
    return known ? "" : "reset of row " + std::to_string(*reset.row) + ": no such row (clause 12)";
}

FeatureSet needed_by(const Reset& reset) {
    return {reset.row ? Feature::reset_row : Feature::reset};
}

std::optional<Reset> for_rows(const Reset& reset, const std::vector<Index>& rows) {
    if (!reset.row) return reset;
    const auto found = std::find(rows.begin(), rows.end(), *reset.row);
    if (found == rows.end()) return std::nullopt;
    return Reset{Index(found - rows.begin())};
}

void apply(const Reset& reset, CacheState& state) {
    KVCHECK_ASSERT(objection_to(reset, state).empty());
    for (Index r = 0; r < state.row_count(); ++r) {
        if (!reset.row || *reset.row == r) state.row(r) = History();
    }
}

}  // namespace kvcheck
