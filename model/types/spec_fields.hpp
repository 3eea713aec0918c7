// SPDX-License-Identifier: Apache-2.0
// The fields of Spec by name, with all that is known of each but its meaning, which stands in
// spec.hpp. A new convention is a field there, a row here and a place in for_each_field().
#pragma once

#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "model/types/enum_names.hpp"
#include "model/types/feature_set.hpp"
#include "model/types/fields.hpp"
#include "model/types/spec.hpp"

namespace kvcheck {

struct SpecField {
    std::string_view name;
    bool layer_only = false;  // not written at attention level, where it must have its default
    bool optional = false;    // files may lack it; it has its default then
    Index most = extent_max;  // of an extent, which is at least 1
    /// It is a size that falls with the arrays that have it, in steps of its own; among conventions
    /// shrinking leaves it out or keeps it.
    bool is_shape = false;
    FeatureSet (*needs)(const Spec& spec);  // what the present value asks of a subject

    bool exists(const Spec& spec) const { return !layer_only || spec.level == Level::layer; }
};

extern const std::array<SpecField, 22> spec_fields;

/// Calls visit(const SpecField&, field) for each field of a Spec or const Spec, in order.
template <RecordOf<Spec> Record, class Visit>
void for_each_field(Record& spec, const Visit& visit) {
    auto& [level, rows, query_heads, kv_heads, key_width, value_width, model_width, capacity, scale,
           softcap, window, anchors, slopes, sinks, position_signal, position_ids, padded_query,
           dead_row, biases, rotary, rotary_width, storage] = spec;
    visit_fields(
        spec_fields,
        std::tie(level, rows, query_heads, kv_heads, key_width, value_width, model_width, capacity,
                 scale, softcap, window, anchors, slopes, sinks, position_signal, position_ids,
                 padded_query, dead_row, biases, rotary, rotary_width, storage),
        visit);
}

Feature feature_of(Level level);

/// The features that a subject needs to honour this spec.
FeatureSet needed_by(const Spec& spec);

/// Whether fields of a type are conventions, of which shrinking tries simpler values: those that
/// are no sizes and do not say which interface is judged.
template <class Value>
constexpr bool is_convention = !std::same_as<Value, Index> && !std::same_as<Value, Level>;

/// Simpler values of a convention than the present one, the simplest first.
std::vector<bool> simpler_values(bool value);
std::vector<PositionSignal> simpler_values(PositionSignal value);
std::vector<std::optional<Index>> simpler_values(std::optional<Index> count);
template <class Value>
std::vector<std::optional<Value>> simpler_values(const std::optional<Value>& value) {
    return value ? std::vector<std::optional<Value>>{std::nullopt}
                 : std::vector<std::optional<Value>>{};
}
template <class Enum>
std::vector<Enum> simpler_values(Enum value) requires requires {
    EnumNames<Enum>::names;
}
{
    std::vector<Enum> simpler;
    simpler.reserve(std::size_t(value));
    for (int n = 0; n < int(value); ++n) simpler.push_back(Enum(n));
    return simpler;
}

}  // namespace kvcheck
