// SPDX-License-Identifier: Apache-2.0
// The feature table. A test holds docs/adding.md and the macro of the C interface against it.
#include "model/types/feature_set.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace kvcheck {
namespace {

using Levels = FeatureInfo::Levels;

constexpr std::array<FeatureInfo, feature_count> table = {{
    {.feature = Feature::attention,
     .name = "attention",
     .meaning = "has the attention level: q, k, v in; o out",
     .plain_attention = true},
    {.feature = Feature::layer,
     .name = "layer",
     .meaning = "has the layer level: x in; positions, projections and attention inside; y out"},
    {.feature = Feature::batch,
     .name = "batch",
     .meaning = "takes more than one row",
     .untried = "only one row is ever given",
     .plain_attention = true},
    {.feature = Feature::grouped_heads,
     .name = "grouped_heads",
     .meaning = "takes H != Hkv",
     .untried = "there are as many query heads as KV heads",
     .plain_attention = true},
    {.feature = Feature::value_width,
     .name = "value_width",
     .meaning = "takes Dv != Dk",
     .plain_attention = true},
    {.feature = Feature::custom_scale,
     .name = "custom_scale",
     .meaning = "takes a given scale",
     .plain_attention = true},
    {.feature = Feature::any_scale,
     .name = "any_scale",
     .meaning = "takes a given scale that is zero or negative",
     .untried = "every scale is positive"},
    {.feature = Feature::softcap,
     .name = "softcap",
     .meaning = "takes a cap on scores, c tanh(s / c)"},
    {.feature = Feature::window,
     .name = "window",
     .meaning = "takes a sliding window: slot p sees slot k only where p - k < W"},
    {.feature = Feature::anchors,
     .name = "anchors",
     .meaning = "takes first real tokens that every window leaves visible"},
    {.feature = Feature::slopes,
     .name = "slopes",
     .meaning = "adds -slope (id of the query - id of the key) to scores (ALiBi)"},
    {.feature = Feature::sinks,
     .name = "sinks",
     .meaning = "takes a score more for each head, whose value is zero"},
    {.feature = Feature::rotary_halves,
     .name = "rotary_halves",
     .meaning = "turns queries and keys by their ids, elements i and w/2 + i as a pair"},
    {.feature = Feature::rotary_adjacent,
     .name = "rotary_adjacent",
     .meaning = "turns queries and keys by their ids, elements 2i and 2i + 1 as a pair"},
    {.feature = Feature::partial_rotary,
     .name = "partial_rotary",
     .meaning = "turns only the first elements of each head where the spec says so"},
    {.feature = Feature::bf16_storage,
     .name = "bf16_storage",
     .meaning = "can store keys and values rounded to bfloat16"},
    {.feature = Feature::fp16_storage,
     .name = "fp16_storage",
     .meaning = "can store keys and values rounded to IEEE half precision"},
    {.feature = Feature::int8_storage,
     .name = "int8_storage",
     .meaning = "can store keys and values as integers times a scale of each token and head"},
    {.feature = Feature::padding_left,
     .name = "padding_left",
     .meaning = "takes padding before the first real token of a row",
     .untried = "no row begins with padding",
     .plain_attention = true},
    {.feature = Feature::padding_right,
     .name = "padding_right",
     .meaning = "takes padding after the last real token",
     .untried = "no row ends with padding",
     .plain_attention = true},
    {.feature = Feature::padding_holes,
     .name = "padding_holes",
     .meaning = "takes padding between real tokens",
     .plain_attention = true},
    {.feature = Feature::padding_all,
     .name = "padding_all",
     .meaning = "takes a row without a real token",
     .plain_attention = true},
    {.feature = Feature::unequal_counts,
     .name = "unequal_counts",
     .meaning = "takes rows of different counts in one call",
     .untried = "all rows get equally many tokens in a call",
     .plain_attention = true},
    {.feature = Feature::empty_chunks,
     .name = "empty_chunks",
     .meaning = "takes a call that appends nothing",
     .plain_attention = true},
    {.feature = Feature::warm_chunks,
     .name = "warm_chunks",
     .meaning = "takes two or more tokens onto a cache that holds some",
     .untried = "after the first call only single tokens are given",
     .plain_attention = true},
    {.feature = Feature::reset,
     .name = "reset",
     .meaning = "takes tokens after a reset of all rows",
     .untried = "no session is used again",
     .exercised_by = "reset_is_fresh",
     .plain_attention = true},
    {.feature = Feature::reset_row,
     .name = "reset_row",
     .meaning = "takes tokens after a reset of one row, the others go on",
     .exercised_by = "reset_is_fresh"},
    {.feature = Feature::truncate,
     .name = "truncate",
     .meaning = "takes the last tokens of all rows back"},
    {.feature = Feature::truncate_row,
     .name = "truncate_row",
     .meaning = "takes the last tokens of one row back, the others stay"},
    {.feature = Feature::reorder,
     .name = "reorder",
     .meaning = "lets rows continue what other rows hold, as beams do"},
    {.feature = Feature::varying_rows,
     .name = "varying_rows",
     .meaning = "takes a reorder that leaves more rows, or fewer",
     .untried = "a reorder leaves as many rows as there were"},
    {.feature = Feature::fork,
     .name = "fork",
     .meaning = "adds a row that continues what another one holds"},
    {.feature = Feature::finish,
     .name = "finish",
     .meaning = "ends a row, which refuses more tokens, while the others go on"},
    {.feature = Feature::evict, .name = "evict", .meaning = "hides any slots of a row for good"},
    {.feature = Feature::shift,
     .name = "shift",
     .meaning = "lowers the position ids of a row, and of what is appended to it"},
    {.feature = Feature::save,
     .name = "save",
     .meaning = "saves its state as bytes, from which another object goes on"},
    {.feature = Feature::prefix_reuse,
     .name = "prefix_reuse",
     .meaning = "publishes what a row holds, and lets an empty row continue what was published"},
    {.feature = Feature::cross,
     .name = "cross",
     .meaning = "answers queries that bring no key, over all keys of their row (cross-attention)",
     .exercised_by = "asks_see_every_key"},
    {.feature = Feature::admission,
     .name = "admission",
     .meaning = "says whether so many tokens more would fit, without appending them",
     .exercised_by = "admission_is_as_append"},
    {.feature = Feature::tree,
     .name = "tree",
     .meaning = "takes tokens that follow any slot of their row, as drafts do"},
    {.feature = Feature::padded_query_computed,
     .name = "padded_query_computed",
     .meaning = "computes the output of a padded query",
     .plain_attention = true},
    {.feature = Feature::dead_row_zeros,
     .name = "dead_row_zeros",
     .meaning = "can yield zeros where a query sees no key",
     .plain_attention = true},
    {.feature = Feature::dead_row_nan,
     .name = "dead_row_nan",
     .meaning = "can yield NaN where a query sees no key"},
    {.feature = Feature::visible_count_ids,
     .name = "visible_count_ids",
     .meaning = "has position ids that count real tokens"},
    {.feature = Feature::sinusoidal_positions,
     .name = "sinusoidal_positions",
     .meaning = "adds a sinusoidal position table to x",
     .levels = Levels::layer},
    {.feature = Feature::learned_positions,
     .name = "learned_positions",
     .meaning = "adds a given position table to x",
     .levels = Levels::layer},
    {.feature = Feature::biases,
     .name = "biases",
     .meaning = "has projections with biases",
     .levels = Levels::layer},
    {.feature = Feature::free_model_width,
     .name = "free_model_width",
     .meaning = "takes D != H * Dk",
     .levels = Levels::layer,
     .untried = "every layer is as wide as its heads together",
     .denial = "fixed_model_width"},
    {.feature = Feature::query_offset,
     .name = "query_offset",
     .meaning = "takes the assertion and refuses a wrong one",
     .untried = "the caller's position is never given",
     .plain_attention = true},
    {.feature = Feature::validates,
     .name = "validates",
     .meaning = "refuses a call that is wrong in shape, count or type, or does not fit",
     .untried = "no wrong call is made",
     .exercised_by = "wrong_call_is_refused",
     .denial = "trusts_callers",
     .plain_attention = true},
    {.feature = Feature::weights,
     .name = "weights",
     .meaning = "shows its attention weights",
     .exercised_by = "weights_match_the_oracle"},
    {.feature = Feature::log_sum_exp,
     .name = "log_sum_exp",
     .meaning = "shows the natural logarithm of the sum of exp(score) over the keys of a query",
     .exercised_by = "lse_matches_the_oracle"},
    {.feature = Feature::kv_export,
     .name = "kv_export",
     .meaning = "shows its stored keys and values",
     .exercised_by = "stored_kv_matches_the_oracle"},
    {.feature = Feature::rotated_keys,
     .name = "rotated_keys",
     .meaning = "shows keys that are turned already; without it, keys as they were before",
     .exercised_by = "stored_kv_matches_the_oracle"},
    {.feature = Feature::poison_unused,
     .name = "poison_unused",
     .meaning = "can overwrite memory that it holds but has not appended",
     .exercised_by = "unused_memory_is_invisible"},
    {.feature = Feature::weak_prefix_hash,
     .name = "weak_prefix_hash",
     .meaning = "can give all prefixes the same hash, so that only a comparison tells them apart",
     .exercised_by = "other_prefix_is_refused"},
    {.feature = Feature::repeatable,
     .name = "repeatable",
     .meaning = "gives the same bits for the same call",
     .untried = "two runs are compared by bounds, not bit by bit",
     .exercised_by = "same_call_same_bits",
     .plain_attention = true},
    {.feature = Feature::batch_invariant,
     .name = "batch_invariant",
     .meaning = "gives a row the same bits alone, in company and in another place",
     .exercised_by = "rows_do_not_mix",
     .plain_attention = true},
    {.feature = Feature::masked_nonfinite,
     .name = "masked_nonfinite",
     .meaning = "is not disturbed by NaN or infinity in tokens that nobody sees",
     .plain_attention = true},
    {.feature = Feature::capacity_unbounded,
     .name = "capacity_unbounded",
     .meaning = "goes on beyond the capacity of its spec, and stays right",
     .exercised_by = "capacity_is_as_declared",
     .is_choice = true},
    {.feature = Feature::capacity_evicted,
     .name = "capacity_evicted",
     .meaning = "makes room at the capacity of its spec by hiding a row's oldest slots",
     .exercised_by = "capacity_is_as_declared",
     .is_choice = true},
}};

constexpr bool is_in_order() {
    for (std::size_t i = 0; i < table.size(); ++i) {
        if (std::size_t(table[i].feature) != i || table[i].name.empty()) return false;
    }
    return true;
}
static_assert(is_in_order(), "a row for each feature, in the order of the enumeration");

}  // namespace

const FeatureInfo& info_of(Feature feature) { return table[std::size_t(feature)]; }

std::string_view name_of(Feature feature) { return info_of(feature).name; }

std::optional<Feature> feature_named(std::string_view name) {
    for (const FeatureInfo& info : table) {
        if (info.name == name) return info.feature;
    }
    return std::nullopt;
}

FeatureSet FeatureSet::plain_attention() {
    FeatureSet features;
    for (const FeatureInfo& info : table) {
        if (info.plain_attention) features.add(info.feature);
    }
    return features;
}

FeatureSet FeatureSet::paddings() {
    return {Feature::padding_left, Feature::padding_right, Feature::padding_holes,
            Feature::padding_all};
}

std::vector<Feature> FeatureSet::list() const {
    std::vector<Feature> features;
    for (const FeatureInfo& info : table) {
        if (has(info.feature)) features.push_back(info.feature);
    }
    return features;
}

FeatureSet features_of_list(const std::vector<std::string>& words,
                            const std::function<void(const std::string& word)>& unknown) {
    FeatureSet features;
    for (const std::string& word : words) {
        if (const auto feature = feature_named(word)) features.add(*feature);
    }
    for (const FeatureInfo& info : table) {
        const bool applies =
            info.levels == FeatureInfo::Levels::both || features.has(Feature::layer);
        if (!info.denial.empty() && applies) features.add(info.feature);
    }
    for (const std::string& word : words) {
        const auto* const denied = std::find_if(
            table.begin(), table.end(),
            [&](const FeatureInfo& info) { return !info.denial.empty() && info.denial == word; });
        if (denied != table.end())
            features.remove(denied->feature);
        else if (!feature_named(word))
            unknown(word);
    }
    return features;
}

std::vector<std::string> list_of_features(const FeatureSet& features) {
    std::vector<std::string> words;
    for (const FeatureInfo& info : table) {
        if (features.has(info.feature))
            words.emplace_back(info.name);
        else if (!info.denial.empty())
            words.emplace_back(info.denial);
    }
    return words;
}

std::string contradiction_in(const FeatureSet& features) {
    const FeatureSet of_capacity = {Feature::capacity_unbounded, Feature::capacity_evicted};
    return features.has_all(of_capacity) ? names_of(of_capacity, " and ") : std::string();
}

std::string names_of(const FeatureSet& features, std::string_view separator) {
    std::string names;
    for (const Feature feature : features.list()) {
        if (!names.empty()) names += separator;
        names += name_of(feature);
    }
    return names;
}

}  // namespace kvcheck
