// SPDX-License-Identifier: Apache-2.0
// Sizes of a decoder, and what may not be said of one (declared in decoder_spec.hpp).
#include "model/types/decoder_spec.hpp"

#include <algorithm>
#include <cmath>

#include "model/types/error.hpp"
#include "model/types/ieee.hpp"

namespace kvcheck {
namespace {

constexpr Index layers_max = 1024;

void require(bool holds, const std::string& place, const std::string& found,
             const std::string& expected) {
    if (!holds) throw InputError(place, found, expected);
}

}  // namespace

DecoderParameters zero_decoder(const DecoderSpec& spec, Index rotary_rows) {
    DecoderParameters parameters;
    parameters.layers.resize(std::size_t(spec.layers));
    parameters.attention = zero_parameters(spec.attention, rotary_rows);
    for_each_array(spec, parameters, [](const std::string&, std::vector<float>& array, Index size) {
        array.resize(std::size_t(size));
    });
    return parameters;
}

Index parameter_count(const DecoderSpec& spec, const DecoderParameters& parameters) {
    Index count = Index(parameters.attention.sinks.size());
    for_each_array(
        spec, parameters, [&](const std::string& name, const std::vector<float>& array, Index) {
            const bool learned =
                name != "position_table" || spec.position_signal == PositionSignal::learned;
            if (learned) count += Index(array.size());
        });
    return count;
}

Index position_limit(const DecoderSpec& spec, const DecoderParameters& parameters) {
    Index limit = extent_max;
    if (spec.position_signal != PositionSignal::none) limit = spec.positions;
    if (spec.attention.rotary != Rotary::none) {
        limit = std::min(limit, position_count(spec.attention, parameters.attention));
    }
    return limit;
}

void validate(const DecoderSpec& spec, const std::string& place) {
    require(spec.attention.level == Level::attention, place + ".attention.level", "\"layer\"",
            "\"attention\", as the layers of a decoder bring projections of their own");
    validate(spec.attention, place + ".attention");
    require(spec.attention.storage == Storage::element, place + ".attention.storage",
            "a narrow format", "the element type, as decoders are not judged with another yet");
    const auto extent = [&](const char* name, Index value, Index least, Index most) {
        require(value >= least && value <= most, place + "." + name, std::to_string(value),
                "an integer from " + std::to_string(least) + " to " + std::to_string(most));
    };
    extent("layers", spec.layers, 1, layers_max);
    extent("model_width", spec.model_width, 1, extent_max);
    extent("hidden_width", spec.hidden_width, 1, extent_max);
    extent("vocabulary", spec.vocabulary, 1, extent_max);
    const bool has_table = spec.position_signal != PositionSignal::none;
    extent("positions", spec.positions, has_table ? 1 : 0, has_table ? extent_max : 0);
    require(std::isfinite(spec.norm_epsilon) && spec.norm_epsilon > 0, place + ".norm_epsilon",
            float_text(spec.norm_epsilon), "a finite number above zero");
}

void validate(const DecoderSpec& spec, const DecoderParameters& parameters,
              const std::string& place) {
    validate(spec.attention, parameters.attention, place + ".attention");
    require(Index(parameters.layers.size()) == spec.layers, place + ".layers",
            std::to_string(parameters.layers.size()) + " layers", std::to_string(spec.layers));
    for_each_array(spec, parameters,
                   [&](const std::string& name, const std::vector<float>& array, Index size) {
                       const std::string at = place + "." + name;
                       require(Index(array.size()) == size, at,
                               std::to_string(array.size()) + " values",
                               std::to_string(size) + ", as the spec says");
                       for (std::size_t i = 0; i < array.size(); ++i) {
                           require(std::isfinite(array[i]), at + "[" + std::to_string(i) + "]",
                                   float_text(array[i]), "finite numbers");
                       }
                   });
}

}  // namespace kvcheck
