// SPDX-License-Identifier: Apache-2.0
#include "model/types/capabilities.hpp"

#include <algorithm>
#include <array>

namespace kvcheck {
namespace {

constexpr std::array<std::string_view, feature_count> feature_names = {
    "attention",
    "layer",
    "batch",
    "grouped_heads",
    "value_width",
    "custom_scale",
    "padding_left",
    "padding_right",
    "padding_holes",
    "padding_all",
    "unequal_counts",
    "empty_chunks",
    "warm_chunks",
    "reset",
    "padded_query_computed",
    "dead_row_zeros",
    "dead_row_nan",
    "visible_count_ids",
    "sinusoidal_positions",
    "learned_positions",
    "biases",
    "query_offset",
    "weights",
    "kv_export",
    "poison_unused",
    "repeatable",
    "batch_invariant",
    "masked_nonfinite",
};

}  // namespace

std::string_view name_of(Feature feature) { return feature_names[std::size_t(feature)]; }

std::optional<Feature> feature_named(std::string_view name) {
    const auto* const found = std::find(feature_names.begin(), feature_names.end(), name);
    if (found == feature_names.end()) return std::nullopt;
    return Feature(found - feature_names.begin());
}

FeatureSet FeatureSet::all() { return FeatureSet((std::uint64_t{1} << feature_count) - 1); }

FeatureSet FeatureSet::plain_attention() {
    return {Feature::attention,
            Feature::batch,
            Feature::grouped_heads,
            Feature::value_width,
            Feature::custom_scale,
            Feature::padding_left,
            Feature::padding_right,
            Feature::padding_holes,
            Feature::padding_all,
            Feature::unequal_counts,
            Feature::empty_chunks,
            Feature::warm_chunks,
            Feature::reset,
            Feature::query_offset,
            Feature::repeatable,
            Feature::batch_invariant,
            Feature::masked_nonfinite,
            Feature::padded_query_computed,
            Feature::dead_row_zeros};
}

std::vector<Feature> FeatureSet::list() const {
    std::vector<Feature> features;
    for (int i = 0; i < feature_count; ++i) {
        if (has(Feature(i))) features.push_back(Feature(i));
    }
    return features;
}

}  // namespace kvcheck
