// SPDX-License-Identifier: Apache-2.0
// What a spec may not say (declared in spec.hpp). The range of a single extent stands in its row of
// spec_fields.cpp; here is what fields must be to each other.
#include "model/types/spec.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>

#include "model/types/error.hpp"
#include "model/types/ieee.hpp"
#include "model/types/spec_fields.hpp"

namespace kvcheck {
namespace {

struct Field {
    std::string place;
    void require(bool holds, std::string_view name, const std::string& found,
                 const std::string& expected) const {
        if (!holds) throw InputError(place + "." + std::string(name), found, expected);
    }
};

// What a value of each type must be by itself.
void require_range(const Field& field, const SpecField& row, Index value) {
    field.require(value >= 1 && value <= row.most, row.name, std::to_string(value),
                  "an integer from 1 to " + std::to_string(row.most));
}
void require_range(const Field& field, const SpecField& row, float value) {
    field.require(std::isfinite(value), row.name, float_text(value), "a finite number");
}
void require_range(const Field&, const SpecField&, bool) {}
template <class Enum>
void require_range(const Field&, const SpecField&, Enum) requires std::is_enum_v<Enum> {}
template <class Value>
void require_range(const Field& field, const SpecField& row, const std::optional<Value>& value) {
    if (value) require_range(field, row, *value);
}

}  // namespace

void validate(const Spec& spec, const std::string& place) {
    const Field field{place};
    for_each_field(spec, [&](const SpecField& row, const auto& value) {
        if (row.exists(spec)) require_range(field, row, value);
    });
    field.require(spec.query_heads % spec.kv_heads == 0, "query_heads",
                  std::to_string(spec.query_heads),
                  "a multiple of kv_heads, which is " + std::to_string(spec.kv_heads));
    const Index widest = spec.query_heads * std::max(spec.key_width, spec.value_width);
    field.require(widest <= extent_max, "query_heads", std::to_string(spec.query_heads),
                  "query_heads times the wider of key_width and value_width at most " +
                      std::to_string(extent_max));
    field.require(spec.rows * widest <= 4 * extent_max, "rows", std::to_string(spec.rows),
                  "rows times query_heads times the wider of key_width and value_width at most " +
                      std::to_string(4 * extent_max));
    field.require(!spec.softcap || *spec.softcap > 0, "softcap",
                  float_text(spec.softcap.value_or(0)), "a number above zero");
    field.require(!spec.anchors || spec.window, "anchors", std::to_string(spec.anchors.value_or(0)),
                  "none without a window, where every key is visible anyway");
    field.require(!spec.rotary_width || spec.rotary != Rotary::none, "rotary_width",
                  std::to_string(spec.rotary_width.value_or(0)), "none without rotary positions");
    const Index turned = spec.turned_width();
    field.require(turned % 2 == 0 && turned <= spec.key_width, "rotary_width",
                  std::to_string(turned),
                  "an even number up to key_width, which is " + std::to_string(spec.key_width));
    if (spec.level == Level::layer) return;
    field.require(spec.model_width == 0, "model_width", std::to_string(spec.model_width),
                  "0 at attention level, which has no model width");
    field.require(spec.position_signal == PositionSignal::none, "position_signal", "a table",
                  "\"none\" at attention level, where the caller adds positions");
    field.require(!spec.biases, "biases", "true",
                  "false at attention level, which has no projections");
}

}  // namespace kvcheck
