// SPDX-License-Identifier: Apache-2.0
#include "tests/decoder/shapes.hpp"

#include <gtest/gtest.h>

#include "properties/generators/decoder.hpp"

namespace kvcheck {
namespace {

DecoderSpec base(Index layers) {
    DecoderSpec spec;
    spec.attention.query_heads = spec.attention.kv_heads = 4;
    spec.attention.key_width = spec.attention.value_width = 4;
    spec.attention.capacity = 32;
    spec.layers = layers;
    spec.model_width = 16;
    spec.hidden_width = 24;
    spec.vocabulary = 29;
    spec.norm_epsilon = 1e-5F;
    return spec;
}

}  // namespace

std::vector<Shaped> small_decoders(Index layers, std::uint64_t seed) {
    std::vector<Shaped> all;
    const auto add = [&](const std::string& name, const DecoderSpec& spec) {
        all.push_back({name, spec, drawn_decoder(spec, spec.attention.capacity, seed)});
    };
    DecoderSpec learned = base(layers);
    learned.position_signal = PositionSignal::learned;
    learned.positions = 32;
    learned.biases = true;
    add("learned", learned);
    DecoderSpec rotary = base(layers);
    rotary.attention.rotary = Rotary::adjacent;
    rotary.attention.kv_heads = 2;
    rotary.norm = Norm::rms;
    rotary.activation = Activation::swiglu;
    rotary.tied_output = true;
    add("rotary", rotary);
    DecoderSpec slopes = base(layers);
    slopes.attention.slopes = true;
    slopes.attention.kv_heads = 1;
    slopes.attention.window = 5;
    slopes.activation = Activation::gelu_tanh;
    add("slopes", slopes);
    DecoderSpec halves = base(layers);
    halves.attention.rotary = Rotary::halves;
    halves.attention.rotary_width = 2;
    halves.attention.softcap = 3.0F;
    halves.attention.sinks = true;
    halves.position_signal = PositionSignal::sinusoidal;
    halves.positions = 32;
    halves.norm = Norm::rms;
    halves.biases = true;
    halves.activation = Activation::swiglu;
    add("halves", halves);
    return all;
}

DecoderCall call_of(const std::vector<Index>& tokens, bool wants_taps) {
    DecoderCall call;
    call.tokens = {tokens};
    call.wants_taps = wants_taps;
    return call;
}

std::vector<DecoderToken> row_of(const std::vector<Index>& tokens) { return real_tokens(tokens); }

Driven driven(Decoder& decoder, const std::vector<Index>& tokens,
              const std::vector<Index>& chunks) {
    Driven result;
    std::size_t at = 0;
    const auto append = [&](std::size_t count) {
        const auto begin = tokens.begin() + std::ptrdiff_t(at);
        DecoderAnswer answer;
        const Status status =
            decoder.append(call_of({begin, begin + std::ptrdiff_t(count)}), answer);
        ASSERT_TRUE(status.ok()) << status.message;
        for (auto& logits : answer.logits[0]) result.logits.push_back(std::move(logits));
        for (auto& taps : answer.taps[0]) result.taps.push_back(std::move(taps));
        at += count;
    };
    for (const Index count : chunks) append(std::size_t(count));
    if (at < tokens.size()) append(tokens.size() - at);
    return result;
}

}  // namespace kvcheck
