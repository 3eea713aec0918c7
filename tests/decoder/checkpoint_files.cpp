// SPDX-License-Identifier: Apache-2.0
#include "tests/decoder/checkpoint_files.hpp"

#include <algorithm>
#include <fstream>

namespace kvcheck {
namespace {

template <class Value>
void put(std::string& bytes, const Value& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void put(std::string& bytes, const std::vector<float>& values) {
    for (const float value : values) put(bytes, value);
}

}  // namespace

DecoderSpec checkpoint_spec(Index width, Index hidden, Index layers, Index heads, Index kv_heads,
                            Index vocabulary, Index positions, bool tied) {
    DecoderSpec spec;
    spec.model_width = width;
    spec.hidden_width = hidden;
    spec.layers = layers;
    spec.attention.query_heads = heads;
    spec.attention.kv_heads = kv_heads;
    spec.attention.key_width = spec.attention.value_width = width / heads;
    spec.attention.capacity = positions;
    spec.attention.rotary = Rotary::adjacent;
    spec.vocabulary = vocabulary;
    spec.norm = Norm::rms;
    spec.norm_epsilon = 1e-5F;
    spec.activation = Activation::swiglu;
    spec.tied_output = tied;
    return spec;
}

std::string checkpoint_bytes(const DecoderSpec& spec, const DecoderParameters& parameters) {
    std::string bytes;
    const Index vocabulary = spec.tied_output ? spec.vocabulary : -spec.vocabulary;
    for (const Index number :
         {spec.model_width, spec.hidden_width, spec.layers, spec.attention.query_heads,
          spec.attention.kv_heads, vocabulary, spec.attention.capacity}) {
        put(bytes, std::int32_t(number));
    }
    put(bytes, parameters.embedding);
    const auto each = [&](const auto& array_of) {
        for (const DecoderLayer& layer : parameters.layers) put(bytes, array_of(layer));
    };
    each([](const DecoderLayer& l) { return l.attention_norm.gain; });
    each([](const DecoderLayer& l) { return l.query.weight; });
    each([](const DecoderLayer& l) { return l.key.weight; });
    each([](const DecoderLayer& l) { return l.value.weight; });
    each([](const DecoderLayer& l) { return l.output.weight; });
    each([](const DecoderLayer& l) { return l.mlp_norm.gain; });
    each([](const DecoderLayer& l) { return l.gate.weight; });
    each([](const DecoderLayer& l) { return l.down.weight; });
    each([](const DecoderLayer& l) { return l.up.weight; });
    put(bytes, parameters.final_norm.gain);
    const Index unread = spec.attention.capacity * spec.attention.key_width;
    put(bytes, std::vector<float>(std::size_t(unread), 7));
    put(bytes, parameters.unembedding);
    return bytes;
}

std::string tokenizer_bytes(const std::vector<std::pair<std::string, float>>& tokens) {
    std::size_t longest = 0;
    for (const auto& [text, score] : tokens) longest = std::max(longest, text.size());
    std::string bytes;
    put(bytes, std::int32_t(longest));
    for (const auto& [text, score] : tokens) {
        put(bytes, score);
        put(bytes, std::int32_t(text.size()));
        bytes += text;
    }
    return bytes;
}

void write_file(const std::string& path, const std::string& bytes) {
    std::ofstream stream(path, std::ios::binary);
    stream << bytes;
}

}  // namespace kvcheck
