// SPDX-License-Identifier: Apache-2.0
// The table of needs (declared in feature_needs.hpp).
#include "model/types/feature_needs.hpp"

namespace kvcheck {
namespace {

const std::vector<FeatureNeed>& needs() {
    static const FeatureSet rotary = {Feature::rotary_halves, Feature::rotary_adjacent};
    static const std::vector<FeatureNeed> table = {
        {Feature::any_scale, {Feature::custom_scale}},
        {Feature::anchors, {Feature::window}},
        {Feature::partial_rotary, rotary},
        {Feature::rotated_keys, rotary},
        {Feature::rotated_keys, {Feature::kv_export}},
        {Feature::unequal_counts, {Feature::batch}},
        {Feature::batch_invariant, {Feature::batch}},
        {Feature::varying_rows, {Feature::reorder}},
        {Feature::varying_rows, {Feature::batch}},
        {Feature::fork, {Feature::batch}},
        {Feature::finish, {Feature::unequal_counts}},
        {Feature::prefix_reuse, {Feature::reset_row}},  // by which a row is empty again
        {Feature::weak_prefix_hash, {Feature::prefix_reuse}},
        {Feature::padded_query_computed, FeatureSet::paddings()},
        {Feature::dead_row_zeros, {Feature::padded_query_computed}},
        {Feature::dead_row_nan, {Feature::padded_query_computed}},
        {Feature::sinusoidal_positions, {Feature::layer}},
        {Feature::learned_positions, {Feature::layer}},
        {Feature::biases, {Feature::layer}},
        {Feature::free_model_width, {Feature::layer}},
    };
    return table;
}

}  // namespace

std::vector<FeatureNeed> unmet_needs(const FeatureSet& declared) {
    std::vector<FeatureNeed> unmet;
    for (const FeatureNeed& need : needs()) {
        if (declared.has(need.feature) && !declared.has_any(need.one_of)) unmet.push_back(need);
    }
    return unmet;
}

std::string text_of(const FeatureNeed& need) {
    return std::string(name_of(need.feature)) + " needs " + names_of(need.one_of, " or ");
}

}  // namespace kvcheck
