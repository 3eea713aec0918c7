// SPDX-License-Identifier: Apache-2.0
// What may be published and reused, and what a row holds then (declared in prefix.hpp).
#include "model/commands/prefix.hpp"

#include <algorithm>

#include "model/cache_state.hpp"
#include "model/commands/place_in.hpp"
#include "model/types/assert.hpp"

namespace kvcheck {

std::string objection_to(const Publish& publish, const CacheState& state) {
    std::string objection = state.objection_to_row(publish.row, Publish::name);
    if (!objection.empty()) return objection;
    const History& row = state.row(publish.row);
    const char* const why = row.empty()               ? "it holds no token"
                            : row.evicted_count() > 0 ? "some of its slots are evicted"
                            : row.shift() > 0         ? "it is shifted"
                            : row.has_branches()      ? "it is a tree"
                                                      : nullptr;
    if (why == nullptr) return {};
    return "publish of row " + std::to_string(publish.row) + ": " + why + " (clause 11)";
}

std::string objection_to(const Reuse& reuse, const CacheState& state) {
    std::string objection = state.objection_to_row(reuse.row, Reuse::name);
    if (!objection.empty()) return objection;
    const std::string what = "reuse by row " + std::to_string(reuse.row) + ": ";
    const History& row = state.row(reuse.row);
    if (!row.empty()) return what + "it holds tokens (clause 11)";
    if (row.is_finished()) return what + "it is finished (clause 10)";
    if (row.shift() > 0) return what + "it is shifted (clause 11)";
    const History* const wanted = state.prefixes().named(reuse.of);
    if (wanted == nullptr) return what + "no prefix is named " + std::to_string(reuse.of);
    if (reuse.slots >= 1 && reuse.slots <= wanted->length()) return {};
    return what + std::to_string(reuse.slots) + " slots of a prefix of " +
           std::to_string(wanted->length());
}

FeatureSet needed_by(const Publish&) { return {Feature::prefix_reuse}; }
FeatureSet needed_by(const Reuse&) { return {Feature::prefix_reuse}; }

std::optional<Publish> for_rows(const Publish& publish, const std::vector<Index>& rows) {
    const auto row = place_in(rows, publish.row);
    if (!row) return std::nullopt;
    return Publish{*row, publish.as};
}

std::optional<Reuse> for_rows(const Reuse& reuse, const std::vector<Index>& rows) {
    const auto row = place_in(rows, reuse.row);
    if (!row) return std::nullopt;
    return Reuse{*row, reuse.of, reuse.slots};
}

void fit(Reuse& reuse, const CacheState& state) {
    const History* const wanted = state.prefixes().named(reuse.of);
    if (wanted != nullptr) reuse.slots = std::min(reuse.slots, wanted->length());
}

void apply(const Publish& publish, CacheState& state) {
    KVCHECK_ASSERT(objection_to(publish, state).empty());
    state.prefixes().publish(publish.as, state.row(publish.row));
}

void apply(const Reuse& reuse, CacheState& state) {
    KVCHECK_ASSERT(objection_to(reuse, state).empty());
    const History wanted = state.prefixes().named(reuse.of)->up_to(reuse.slots);
    state.row(reuse.row) = state.prefixes().longest(wanted);
}

}  // namespace kvcheck
