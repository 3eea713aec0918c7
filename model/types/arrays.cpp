// SPDX-License-Identifier: Apache-2.0
// The lists of arrays (declared in arrays.hpp). A new input of a token or a new parameter is a row
// here.
#include "model/types/arrays.hpp"

#include "model/types/assert.hpp"

namespace kvcheck {
namespace {

bool in_layer(const Spec& spec) { return spec.level == Level::layer; }
bool with_biases(const Spec& spec) { return in_layer(spec) && spec.biases; }
bool with_slopes(const Spec& spec) { return spec.slopes; }
bool with_sinks(const Spec& spec) { return spec.sinks; }
bool with_rotary(const Spec& spec) { return spec.rotary != Rotary::none; }
bool with_positions(const Spec& spec) { return spec.position_signal != PositionSignal::none; }

template <Projection Parameters::*projection>
std::vector<float>& weight(Parameters& parameters) {
    return (parameters.*projection).weight;
}

template <Projection Parameters::*projection>
std::vector<float>& bias(Parameters& parameters) {
    return (parameters.*projection).bias;
}

std::vector<float>& position_table(Parameters& parameters) { return parameters.position_table; }
std::vector<float>& slopes_of(Parameters& parameters) { return parameters.slopes; }
std::vector<float>& sinks_of(Parameters& parameters) { return parameters.sinks; }
std::vector<float>& rotary_table(Parameters& parameters) { return parameters.rotary_table; }

template <Projection Parameters::*projection>
void add_projection(std::vector<ParameterArray>& list, std::string_view name, Axis out, Axis in) {
    list.push_back({name, "weight", {out, in}, false, in_layer, weight<projection>});
    list.push_back({name, "bias", {out}, false, with_biases, bias<projection>});
}

std::vector<ParameterArray> all_parameter_arrays() {
    // A member that is missing here does not compile.
    [[maybe_unused]] const auto& [query, key, value, output, table, slopes, sinks, rotary] =
        Parameters{};
    std::vector<ParameterArray> list;
    add_projection<&Parameters::query>(list, "query", Axis::query, Axis::model);
    add_projection<&Parameters::key>(list, "key", Axis::key, Axis::model);
    add_projection<&Parameters::value>(list, "value", Axis::value, Axis::model);
    add_projection<&Parameters::output>(list, "output", Axis::model, Axis::attended);
    list.push_back({"position_table", "", {Axis::model}, true, with_positions, position_table});
    list.push_back({"slopes", "", {Axis::heads}, false, with_slopes, slopes_of});
    list.push_back({"sinks", "", {Axis::heads}, false, with_sinks, sinks_of});
    list.push_back({"rotary_table", "", {Axis::turned}, true, with_rotary, rotary_table});
    return list;
}

}  // namespace

AxisExtent extent_of(Axis axis, const Spec& spec) {
    switch (axis) {
        case Axis::query:
            return {spec.query_heads, spec.key_width};
        case Axis::key:
            return {spec.kv_heads, spec.key_width};
        case Axis::value:
            return {spec.kv_heads, spec.value_width};
        case Axis::attended:
            return {spec.query_heads, spec.value_width};
        case Axis::model:
            return {1, spec.model_width};
        case Axis::heads:
            return {spec.query_heads, 1};
        case Axis::turned:
            return {1, spec.turned_width()};
    }
    return {};
}

std::string_view name_of(Role role) {
    constexpr std::array<std::string_view, 6> names = {"query", "key",    "value",
                                                       "x",     "output", "parameter"};
    return names[std::size_t(role)];
}

const std::vector<TokenArray>& input_arrays(Level level) {
    static const std::vector<TokenArray> attention = {{"q", Role::query, Axis::query},
                                                      {"k", Role::key, Axis::key},
                                                      {"v", Role::value, Axis::value}};
    static const std::vector<TokenArray> layer = {{"x", Role::x, Axis::model}};
    return level == Level::attention ? attention : layer;
}

const TokenArray& output_array(Level level) {
    static const TokenArray attention = {"output", Role::output, Axis::attended};
    static const TokenArray layer = {"output", Role::output, Axis::model};
    return level == Level::attention ? attention : layer;
}

const std::vector<TokenArray>& call_arrays(Level level) {
    const auto with_output = [](Level of) {
        std::vector<TokenArray> arrays = input_arrays(of);
        arrays.push_back(output_array(of));
        return arrays;
    };
    static const std::vector<TokenArray> attention = with_output(Level::attention);
    static const std::vector<TokenArray> layer = with_output(Level::layer);
    return level == Level::attention ? attention : layer;
}

Shape call_shape(const TokenArray& array, const Spec& spec, Index tokens) {
    const AxisExtent extent = extent_of(array.axis, spec);
    if (array.axis == Axis::model) return {spec.rows, tokens, extent.width};
    return {spec.rows, tokens, extent.heads, extent.width};
}

std::vector<Index> token_extents(const TokenArray& array, const Spec& spec) {
    const AxisExtent extent = extent_of(array.axis, spec);
    if (array.axis == Axis::model) return {extent.width};
    return {extent.heads, extent.width};
}

std::string ParameterArray::path() const {
    return part.empty() ? std::string(name) : std::string(name) + "." + std::string(part);
}

std::vector<Index> ParameterArray::extents(const Spec& spec, Index rows) const {
    std::vector<Index> extents;
    if (any_rows) extents.push_back(rows);
    for (const Axis axis : axes) extents.push_back(extent_of(axis, spec).size());
    return extents;
}

const std::vector<ParameterArray>& parameter_arrays() {
    static const std::vector<ParameterArray> list = all_parameter_arrays();
    return list;
}

}  // namespace kvcheck
