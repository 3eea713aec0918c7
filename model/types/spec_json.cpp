// SPDX-License-Identifier: Apache-2.0
// The JSON form of spec and parameters (declared in json.hpp).
#include <array>

#include "model/types/error.hpp"
#include "model/types/json.hpp"

namespace kvcheck {
namespace {

/// The spelling of an enumeration: index i of the table names the value i.
template <class Enum, std::size_t n>
Enum read_enum(const JsonPlace& place, const std::array<std::string_view, n>& names) {
    std::string expected = "one of";
    for (std::size_t i = 0; i < n; ++i) {
        if (place.value().is_string() && place.value() == names[i]) return Enum(i);
        expected += (i == 0 ? " \"" : ", \"") + std::string(names[i]) + "\"";
    }
    place.fail(expected);
}

constexpr std::array<std::string_view, 2> level_names = {"attention", "layer"};
constexpr std::array<std::string_view, 3> signal_names = {"none", "sinusoidal", "learned"};
constexpr std::array<std::string_view, 2> id_names = {"slot", "visible_count"};
constexpr std::array<std::string_view, 2> padded_names = {"unspecified", "computed"};
constexpr std::array<std::string_view, 3> dead_names = {"zeros", "nan", "unspecified"};

Json projection_json(const Projection& projection, Index out, Index in, Decimals decimals) {
    Json json;
    json["weight"] = nested_json(projection.weight, {out, in}, decimals);
    if (!projection.bias.empty()) json["bias"] = nested_json(projection.bias, {out}, decimals);
    return json;
}

Projection projection_from_json(const JsonPlace& place, bool biases, Index out, Index in) {
    place.only_members({"weight", "bias"});
    Projection projection;
    projection.weight = nested_from_json(place.member("weight"), {out, in});
    if (biases)
        projection.bias = nested_from_json(place.member("bias"), {out});
    else if (place.optional_member("bias"))
        place.fail("no bias, as the spec says");
    return projection;
}

}  // namespace

Json to_json(const Spec& spec, Decimals decimals) {
    Json json;
    json["level"] = level_names[std::size_t(spec.level)];
    json["rows"] = spec.rows;
    json["query_heads"] = spec.query_heads;
    json["kv_heads"] = spec.kv_heads;
    json["key_width"] = spec.key_width;
    json["value_width"] = spec.value_width;
    if (spec.level == Level::layer) json["model_width"] = spec.model_width;
    json["capacity"] = spec.capacity;
    if (spec.scale) json["scale"] = to_json(*spec.scale, decimals);
    json["position_signal"] = signal_names[std::size_t(spec.position_signal)];
    json["position_ids"] = id_names[std::size_t(spec.position_ids)];
    json["padded_query"] = padded_names[std::size_t(spec.padded_query)];
    json["dead_row"] = dead_names[std::size_t(spec.dead_row)];
    if (spec.level == Level::layer) json["biases"] = spec.biases;
    return json;
}

Spec spec_from_json(const JsonPlace& place) {
    place.only_members({"level", "rows", "query_heads", "kv_heads", "key_width", "value_width",
                        "model_width", "capacity", "scale", "position_signal", "position_ids",
                        "padded_query", "dead_row", "biases"});
    Spec spec;
    spec.level = read_enum<Level>(place.member("level"), level_names);
    const auto extent = [&](std::string_view name, Index most = extent_max) {
        return place.member(name).integer(1, most);
    };
    spec.rows = extent("rows", rows_max);
    spec.query_heads = extent("query_heads");
    spec.kv_heads = extent("kv_heads");
    spec.key_width = extent("key_width");
    spec.value_width = extent("value_width");
    spec.capacity = extent("capacity");
    if (const auto scale = place.optional_member("scale")) spec.scale = scale->number();
    spec.position_signal = read_enum<PositionSignal>(place.member("position_signal"), signal_names);
    spec.position_ids = read_enum<PositionIds>(place.member("position_ids"), id_names);
    spec.padded_query = read_enum<PaddedQuery>(place.member("padded_query"), padded_names);
    spec.dead_row = read_enum<DeadRow>(place.member("dead_row"), dead_names);
    if (spec.level == Level::layer) {
        spec.model_width = extent("model_width");
        spec.biases = place.member("biases").boolean();
    } else if (place.optional_member("model_width") || place.optional_member("biases")) {
        place.fail("neither model_width nor biases at attention level");
    }
    validate(spec, place.path());
    return spec;
}

Json to_json(const Spec& spec, const Parameters& parameters, Decimals decimals) {
    Json json = Json::object();
    if (spec.level == Level::attention) return json;
    const Index width = spec.model_width;
    json["query"] = projection_json(parameters.query, spec.query_size(), width, decimals);
    json["key"] = projection_json(parameters.key, spec.key_size(), width, decimals);
    json["value"] = projection_json(parameters.value, spec.value_size(), width, decimals);
    json["output"] = projection_json(parameters.output, width, spec.attended_size(), decimals);
    if (spec.position_signal != PositionSignal::none) {
        json["position_table"] = nested_json(parameters.position_table,
                                             {position_count(spec, parameters), width}, decimals);
    }
    return json;
}

Parameters parameters_from_json(const Spec& spec, const JsonPlace& place) {
    Parameters parameters;
    if (spec.level == Level::attention) {
        place.only_members({});
        return parameters;
    }
    place.only_members({"query", "key", "value", "output", "position_table"});
    const Index width = spec.model_width;
    const auto read = [&](std::string_view name, Index out, Index in) {
        return projection_from_json(place.member(name), spec.biases, out, in);
    };
    parameters.query = read("query", spec.query_size(), width);
    parameters.key = read("key", spec.key_size(), width);
    parameters.value = read("value", spec.value_size(), width);
    parameters.output = read("output", width, spec.attended_size());
    const auto table = place.optional_member("position_table");
    if ((spec.position_signal != PositionSignal::none) != table.has_value()) {
        place.fail("a position_table exactly where the spec has a position signal");
    }
    if (table) parameters.position_table = rows_from_json(*table, width);
    validate(spec, parameters, place.path());
    return parameters;
}

}  // namespace kvcheck
