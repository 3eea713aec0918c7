// SPDX-License-Identifier: Apache-2.0
#include "model/types/parameters.hpp"

#include <cmath>
#include <string>

#include "model/types/error.hpp"
#include "model/types/ieee.hpp"

namespace kvcheck {
namespace {

void validate_values(const std::vector<float>& values, Index size, const std::string& place) {
    if (Index(values.size()) != size) {
        throw InputError(place, std::to_string(values.size()) + " values",
                         std::to_string(size) + ", as the spec says");
    }
    for (const float value : values) {
        if (!std::isfinite(value)) throw InputError(place, float_text(value), "finite numbers");
    }
}

void validate_projection(const Spec& spec, const Projection& projection, Index out, Index in,
                         const std::string& place) {
    const bool present = spec.level == Level::layer;
    validate_values(projection.weight, present ? out * in : 0, place + ".weight");
    validate_values(projection.bias, present && spec.biases ? out : 0, place + ".bias");
}

}  // namespace

Index position_count(const Spec& spec, const Parameters& parameters) {
    if (spec.position_signal == PositionSignal::none) return 0;
    return Index(parameters.position_table.size()) / spec.model_width;
}

void validate(const Spec& spec, const Parameters& parameters, const std::string& place) {
    validate_projection(spec, parameters.query, spec.query_size(), spec.model_width,
                        place + ".query");
    validate_projection(spec, parameters.key, spec.key_size(), spec.model_width, place + ".key");
    validate_projection(spec, parameters.value, spec.value_size(), spec.model_width,
                        place + ".value");
    validate_projection(spec, parameters.output, spec.model_width, spec.attended_size(),
                        place + ".output");
    validate_values(parameters.position_table, position_count(spec, parameters) * spec.model_width,
                    place + ".position_table");
}

Parameters zero_parameters(const Spec& spec, Index positions) {
    Parameters parameters;
    if (spec.level == Level::attention) return parameters;
    const auto zeros = [&](Index out, Index in) {
        return Projection{std::vector<float>(std::size_t(out * in)),
                          std::vector<float>(std::size_t(spec.biases ? out : 0))};
    };
    parameters.query = zeros(spec.query_size(), spec.model_width);
    parameters.key = zeros(spec.key_size(), spec.model_width);
    parameters.value = zeros(spec.value_size(), spec.model_width);
    parameters.output = zeros(spec.model_width, spec.attended_size());
    if (spec.position_signal != PositionSignal::none) {
        parameters.position_table.resize(std::size_t(positions * spec.model_width));
    }
    return parameters;
}

}  // namespace kvcheck
