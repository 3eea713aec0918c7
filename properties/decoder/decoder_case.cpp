// SPDX-License-Identifier: Apache-2.0
// Random cases for decoders (declared in decoder_case.hpp).
#include "properties/decoder/decoder_case.hpp"

#include "properties/generators/decoder.hpp"
#include "properties/generators/structure.hpp"

namespace kvcheck {

FeatureSet features_of_decoders() {
    return FeatureSet::all().without(
        {Feature::bf16_storage, Feature::fp16_storage, Feature::int8_storage, Feature::custom_scale,
         Feature::any_scale, Feature::query_offset, Feature::padded_query_computed,
         Feature::dead_row_nan, Feature::save, Feature::prefix_reuse, Feature::shift,
         Feature::tree});
}

DecoderCase draw_decoder_case(Draw& draw) {
    const Case heads = draw_structure(draw, Level::attention, features_of_decoders(), {});
    DecoderCase made;
    DecoderSpec& spec = made.spec;
    spec.attention = heads.spec;
    spec.layers = draw.range(1, 3);
    spec.model_width = draw.range(2, 12);
    spec.hidden_width = draw.range(1, 12);
    spec.vocabulary = draw.range(2, 20);
    spec.position_signal = draw.pick<PositionSignal>(
        {PositionSignal::none, PositionSignal::sinusoidal, PositionSignal::learned});
    if (spec.position_signal != PositionSignal::none) spec.positions = spec.attention.capacity;
    spec.norm = draw.percent(50) ? Norm::layer : Norm::rms;
    spec.norm_epsilon = 1.0F / 1024;
    spec.activation =
        draw.pick<Activation>({Activation::gelu_exact, Activation::gelu_tanh, Activation::swiglu});
    spec.biases = draw.percent(50);
    spec.tied_output = draw.percent(50);
    const Index rotary_rows = position_count(heads.spec, heads.parameters);
    made.parameters = drawn_decoder(spec, rotary_rows, draw.bits());
    made.program = heads.program;
    for (Command& command : made.program) {
        auto* const append = std::get_if<Append>(&command);
        if (append == nullptr) continue;
        for (auto& row : append->rows) {
            for (Token& token : row) token.input = {float(draw.below(spec.vocabulary))};
        }
    }
    return made;
}

}  // namespace kvcheck
