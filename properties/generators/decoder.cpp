// SPDX-License-Identifier: Apache-2.0
// Random decoders (declared in decoder.hpp).
#include "properties/generators/decoder.hpp"

#include <cmath>

#include "oracles/sinusoid.hpp"
#include "properties/generators/draw.hpp"

namespace kvcheck {
namespace {

/// In [-1, 1), a multiple of 2^-23.
float unit(Draw& draw) {
    constexpr int digits = 24;
    const auto integer = std::int64_t(draw.bits() >> (64U - digits)) - (std::int64_t{1} << 23U);
    return std::ldexp(float(integer), 1 - digits);
}

/// The power of two next below sqrt(3 / in): a sum of `in` products with numbers in [-1, 1) times
/// it keeps the size of what they multiply.
float scale_for(Index in) {
    int exponent = 0;
    for (Index most = 3; most < in; most *= 4) --exponent;
    return std::ldexp(1.0F, exponent);
}

bool ends_with(const std::string& text, const std::string& end) {
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

}  // namespace

DecoderParameters drawn_decoder(const DecoderSpec& spec, Index rotary_rows, std::uint64_t seed) {
    DecoderParameters parameters = zero_decoder(spec, rotary_rows);
    Draw draw((SplitMix(seed)));
    for_each_array(spec, parameters,
                   [&](const std::string& name, std::vector<float>& array, Index) {
                       const bool is_gain = ends_with(name, ".gain");
                       const bool is_bias = ends_with(name, ".bias");
                       Index in = spec.model_width;
                       if (ends_with(name, ".down.weight")) in = spec.hidden_width;
                       if (ends_with(name, ".output.weight")) in = spec.attention.attended_size();
                       const bool is_table = name == "embedding" || name == "position_table";
                       const bool is_small = is_gain || is_bias;
                       constexpr float small = 0.25F;
                       const float scale = is_small ? small : is_table ? 1 : scale_for(in);
                       for (float& value : array) value = scale * unit(draw) + (is_gain ? 1.0F : 0);
                   });
    if (spec.position_signal == PositionSignal::sinusoidal) {
        parameters.position_table = sinusoidal_table(spec.positions, spec.model_width);
    }
    constexpr Index base = 10000;
    if (spec.attention.rotary != Rotary::none) {
        parameters.attention.rotary_table =
            rotary_table_of(rotary_rows, spec.attention.turned_width(), base);
    }
    for (std::size_t head = 0; head < parameters.attention.slopes.size(); ++head) {
        parameters.attention.slopes[head] = std::ldexp(1.0F, -int(head) - 1);
    }
    for (float& sink : parameters.attention.sinks) sink = unit(draw);
    return parameters;
}

std::vector<Index> drawn_tokens(const DecoderSpec& spec, Index count, std::uint64_t seed) {
    Draw draw((SplitMix(seed)));
    std::vector<Index> tokens;
    for (Index t = 0; t < count; ++t) tokens.push_back(draw.below(spec.vocabulary));
    return tokens;
}

}  // namespace kvcheck
