// SPDX-License-Identifier: Apache-2.0
// The JSON form of spec and parameters (declared in json.hpp): a walk over the fields of the one
// and the arrays of the other.
#include <nlohmann/json.hpp>

#include "model/types/arrays.hpp"
#include "model/types/error.hpp"
#include "model/types/json.hpp"
#include "model/types/spec_fields.hpp"

namespace kvcheck {
namespace {

template <class Enum>
Enum read_enum(const JsonPlace& place) {
    std::string expected = "one of";
    for (std::size_t i = 0; i < EnumNames<Enum>::names.size(); ++i) {
        const std::string_view name = EnumNames<Enum>::names[i];
        if (place.value().is_string() && place.value() == name) return Enum(i);
        expected += (i == 0 ? " \"" : ", \"") + std::string(name) + "\"";
    }
    place.fail(expected);
}

/// Optional fields are written where they differ from what their absence says, the first value.
template <class Value>
bool is_written(const SpecField& field, const Value& value) {
    return !field.optional || value != Value{};
}

void write(Json& json, Index value, Decimals) { json = value; }
void write(Json& json, bool value, Decimals) { json = value; }
void write(Json& json, float value, Decimals decimals) { json = to_json(value, decimals); }
template <class Enum>
void write(Json& json, Enum value, Decimals) requires std::is_enum_v<Enum> {
    json = name_of(value);
}
template <class Value>
void write(Json& json, const std::optional<Value>& value, Decimals decimals) {
    write(json, *value, decimals);
}

void read(const JsonPlace& place, const SpecField& field, Index& value) {
    value = place.integer(1, field.most);
}
void read(const JsonPlace& place, const SpecField&, bool& value) { value = place.boolean(); }
void read(const JsonPlace& place, const SpecField&, float& value) { value = place.finite_number(); }
template <class Enum>
void read(const JsonPlace& place, const SpecField&, Enum& value) requires std::is_enum_v<Enum> {
    value = read_enum<Enum>(place);
}
template <class Value>
void read(const JsonPlace& place, const SpecField& field, std::optional<Value>& value) {
    read(place, field, value.emplace());
}

/// The array of a parameter, below the member of its name.
Json& member_of(Json& json, const ParameterArray& array) {
    Json& member = json[std::string(array.name)];
    return array.part.empty() ? member : member[std::string(array.part)];
}

std::vector<float> read_array(const JsonPlace& place, const ParameterArray& array,
                              const Spec& spec) {
    const Index rows = array.any_rows ? Index(place.elements().size()) : 0;
    return nested_from_json(place, array.extents(spec, rows), &JsonPlace::finite_number);
}

/// The names of all members that parameters may have, and of the parts below `member`.
std::vector<std::string_view> names_below(std::string_view member) {
    std::vector<std::string_view> names;
    for (const ParameterArray& array : parameter_arrays()) {
        if (member.empty() && (names.empty() || names.back() != array.name)) {
            names.push_back(array.name);
        }
        if (!member.empty() && array.name == member) names.push_back(array.part);
    }
    return names;
}

/// The names of those that may exist without projections.
std::vector<std::string_view> names_of_attention() {
    Spec everything;
    everything.slopes = everything.sinks = true;
    everything.rotary = Rotary::halves;
    std::vector<std::string_view> names;
    for (const ParameterArray& array : parameter_arrays()) {
        if (array.exists(everything)) names.push_back(array.name);
    }
    return names;
}

}  // namespace

Json to_json(const Spec& spec, Decimals decimals) {
    Json json;
    for_each_field(spec, [&](const SpecField& field, const auto& value) {
        if (!field.exists(spec) || !is_written(field, value)) return;
        write(json[std::string(field.name)], value, decimals);
    });
    return json;
}

Spec spec_from_json(const JsonPlace& place) {
    std::vector<std::string_view> names;
    names.reserve(spec_fields.size());
    for (const SpecField& field : spec_fields) names.push_back(field.name);
    place.only_members(names);
    Spec spec;
    for_each_field(spec, [&](const SpecField& field, auto& value) {
        const auto member = place.optional_member(field.name);
        if (!field.exists(spec)) {
            if (member) place.fail("no " + std::string(field.name) + " at attention level");
            return;
        }
        if (!member && field.optional) return;
        read(place.member(field.name), field, value);
    });
    validate(spec, place.path());
    return spec;
}

Json to_json(const Spec& spec, const Parameters& parameters, Decimals decimals) {
    Json json = Json::object();
    const Index positions = position_count(spec, parameters);
    for (const ParameterArray& array : parameter_arrays()) {
        if (!array.exists(spec)) continue;
        member_of(json, array) =
            nested_json(array.in(parameters), array.extents(spec, positions), decimals);
    }
    return json;
}

Parameters parameters_from_json(const Spec& spec, const JsonPlace& place) {
    Parameters parameters;
    const bool is_layer = spec.level == Level::layer;
    place.only_members(is_layer ? names_below("") : names_of_attention());
    for (const ParameterArray& array : parameter_arrays()) {
        if (!is_layer && !array.exists(spec) && !place.optional_member(array.name)) continue;
        JsonPlace holder = place;
        std::string_view name = array.name;
        if (!array.part.empty()) {
            holder = place.member(array.name);
            holder.only_members(names_below(array.name));
            name = array.part;
        }
        const auto found = holder.optional_member(name);
        if (!array.exists(spec)) {
            if (found) holder.fail("no " + std::string(name) + ", as the spec says");
            continue;
        }
        array.in(parameters) = read_array(holder.member(name), array, spec);
    }
    validate(spec, parameters, place.path());
    return parameters;
}

}  // namespace kvcheck
