// SPDX-License-Identifier: Apache-2.0
#include "model/types/spec.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "model/types/error.hpp"
#include "model/types/ieee.hpp"

namespace kvcheck {
namespace {

struct Field {
    std::string place;
    void require(bool holds, const char* name, const std::string& found,
                 const std::string& expected) const {
        if (!holds) throw InputError(place + "." + name, found, expected);
    }
    void require_extent(Index value, const char* name, Index most = extent_max) const {
        require(value >= 1 && value <= most, name, std::to_string(value),
                "an integer from 1 to " + std::to_string(most));
    }
};

}  // namespace

void validate(const Spec& spec, const std::string& place) {
    const Field field{place};
    field.require_extent(spec.rows, "rows", rows_max);
    field.require_extent(spec.query_heads, "query_heads");
    field.require_extent(spec.kv_heads, "kv_heads");
    field.require_extent(spec.key_width, "key_width");
    field.require_extent(spec.value_width, "value_width");
    field.require_extent(spec.capacity, "capacity");
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
    if (spec.scale) {
        field.require(std::isfinite(*spec.scale), "scale", float_text(*spec.scale),
                      "a finite number");
    }
    if (spec.level == Level::layer) {
        field.require_extent(spec.model_width, "model_width");
        return;
    }
    field.require(spec.model_width == 0, "model_width", std::to_string(spec.model_width),
                  "0 at attention level, which has no model width");
    field.require(spec.position_signal == PositionSignal::none, "position_signal", "a table",
                  "\"none\" at attention level, where positions are the caller's business");
    field.require(!spec.biases, "biases", "true",
                  "false at attention level, which has no projections");
}

}  // namespace kvcheck
