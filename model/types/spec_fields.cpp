// SPDX-License-Identifier: Apache-2.0
// The table of the fields of Spec (declared in spec_fields.hpp).
#include "model/types/spec_fields.hpp"

#include <algorithm>

namespace kvcheck {
namespace {

FeatureSet nothing(const Spec&) { return {}; }

FeatureSet of_level(const Spec& spec) { return {feature_of(spec.level)}; }

FeatureSet of_rows(const Spec& spec) {
    return spec.rows > 1 ? FeatureSet{Feature::batch} : FeatureSet{};
}

FeatureSet of_kv_heads(const Spec& spec) {
    return spec.query_heads != spec.kv_heads ? FeatureSet{Feature::grouped_heads} : FeatureSet{};
}

FeatureSet of_value_width(const Spec& spec) {
    return spec.value_width != spec.key_width ? FeatureSet{Feature::value_width} : FeatureSet{};
}

FeatureSet of_model_width(const Spec& spec) {
    // Many layers are made for one width only, and fix it.
    const bool is_free = spec.level == Level::layer && spec.model_width != spec.query_size();
    return is_free ? FeatureSet{Feature::free_model_width} : FeatureSet{};
}

FeatureSet of_scale(const Spec& spec) {
    if (!spec.scale) return {};
    // Engines refuse what no model has, or take zero for "not given".
    if (*spec.scale <= 0) return {Feature::custom_scale, Feature::any_scale};
    return {Feature::custom_scale};
}

FeatureSet of_softcap(const Spec& spec) {
    return spec.softcap ? FeatureSet{Feature::softcap} : FeatureSet{};
}

FeatureSet of_window(const Spec& spec) {
    return spec.window ? FeatureSet{Feature::window} : FeatureSet{};
}

FeatureSet of_anchors(const Spec& spec) {
    return spec.anchors ? FeatureSet{Feature::anchors} : FeatureSet{};
}

FeatureSet of_slopes(const Spec& spec) {
    return spec.slopes ? FeatureSet{Feature::slopes} : FeatureSet{};
}

FeatureSet of_sinks(const Spec& spec) {
    return spec.sinks ? FeatureSet{Feature::sinks} : FeatureSet{};
}

FeatureSet of_position_signal(const Spec& spec) {
    switch (spec.position_signal) {
        case PositionSignal::none:
            return {};
        case PositionSignal::sinusoidal:
            return {Feature::sinusoidal_positions};
        case PositionSignal::learned:
            return {Feature::learned_positions};
    }
    return {};
}

FeatureSet of_position_ids(const Spec& spec) {
    return spec.position_ids == PositionIds::visible_count ? FeatureSet{Feature::visible_count_ids}
                                                           : FeatureSet{};
}

FeatureSet of_padded_query(const Spec& spec) {
    return spec.padded_query == PaddedQuery::computed ? FeatureSet{Feature::padded_query_computed}
                                                      : FeatureSet{};
}

FeatureSet of_biases(const Spec& spec) {
    return spec.biases ? FeatureSet{Feature::biases} : FeatureSet{};
}

FeatureSet of_rotary(const Spec& spec) {
    switch (spec.rotary) {
        case Rotary::none:
            return {};
        case Rotary::halves:
            return {Feature::rotary_halves};
        case Rotary::adjacent:
            return {Feature::rotary_adjacent};
    }
    return {};
}

FeatureSet of_rotary_width(const Spec& spec) {
    const bool partial = spec.rotary != Rotary::none && spec.turned_width() < spec.key_width;
    return partial ? FeatureSet{Feature::partial_rotary} : FeatureSet{};
}

FeatureSet of_storage(const Spec& spec) {
    switch (spec.storage) {
        case Storage::element:
            return {};
        case Storage::bf16:
            return {Feature::bf16_storage};
        case Storage::fp16:
            return {Feature::fp16_storage};
        case Storage::int8:
            return {Feature::int8_storage};
    }
    return {};
}

}  // namespace

constexpr std::array<SpecField, 22> spec_fields = {{
    {.name = "level", .needs = of_level},
    {.name = "rows", .most = rows_max, .needs = of_rows},
    {.name = "query_heads", .needs = nothing},
    {.name = "kv_heads", .needs = of_kv_heads},
    {.name = "key_width", .needs = nothing},
    {.name = "value_width", .needs = of_value_width},
    {.name = "model_width", .layer_only = true, .needs = of_model_width},
    {.name = "capacity", .needs = nothing},
    {.name = "scale", .optional = true, .needs = of_scale},
    {.name = "softcap", .optional = true, .needs = of_softcap},
    {.name = "window", .optional = true, .needs = of_window},
    {.name = "anchors", .optional = true, .needs = of_anchors},
    {.name = "slopes", .optional = true, .needs = of_slopes},
    {.name = "sinks", .optional = true, .needs = of_sinks},
    {.name = "position_signal", .needs = of_position_signal},
    {.name = "position_ids", .needs = of_position_ids},
    {.name = "padded_query", .needs = of_padded_query},
    // What it asks depends on whether a query is dead: features_of(Case) knows.
    {.name = "dead_row", .needs = nothing},
    {.name = "biases", .layer_only = true, .needs = of_biases},
    {.name = "rotary", .optional = true, .needs = of_rotary},
    {.name = "rotary_width", .optional = true, .is_shape = true, .needs = of_rotary_width},
    {.name = "storage", .optional = true, .needs = of_storage},
}};
static_assert(std::none_of(spec_fields.begin(), spec_fields.end(),
                           [](const SpecField& field) { return field.needs == nullptr; }),
              "every row says what its field asks of a subject");

Feature feature_of(Level level) {
    return level == Level::layer ? Feature::layer : Feature::attention;
}

FeatureSet needed_by(const Spec& spec) {
    FeatureSet features;
    for (const SpecField& field : spec_fields) features = features | field.needs(spec);
    return features;
}

std::vector<bool> simpler_values(bool value) {
    return value ? std::vector<bool>{false} : std::vector<bool>{};
}

std::vector<std::optional<Index>> simpler_values(std::optional<Index> count) {
    if (!count) return {};
    std::vector<std::optional<Index>> simpler = {std::nullopt};
    for (const Index smaller : {Index{1}, *count / 2, *count - 1}) {
        if (smaller >= 1 && smaller < *count && simpler.back() != smaller)
            simpler.emplace_back(smaller);
    }
    return simpler;
}

std::vector<PositionSignal> simpler_values(PositionSignal value) {
    switch (value) {
        case PositionSignal::none:
            return {};
        case PositionSignal::learned:
            return {PositionSignal::none};
        case PositionSignal::sinusoidal:  // the same table, which then asks for no formula
            return {PositionSignal::none, PositionSignal::learned};
    }
    return {};
}

}  // namespace kvcheck
