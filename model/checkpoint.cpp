// SPDX-License-Identifier: Apache-2.0
// Reading checkpoints (declared in checkpoint.hpp).
#include "model/checkpoint.hpp"

#include <cstdlib>

#include "model/byte_reader.hpp"

namespace kvcheck {
namespace {

constexpr std::uint64_t bytes_max = std::uint64_t{1} << 33;
constexpr Index width_max = Index{1} << 16;
constexpr Index layers_max = 1024;

DecoderSpec read_header(ByteReader& file) {
    DecoderSpec spec;
    spec.model_width = file.integer("width", 1, width_max);
    spec.hidden_width = file.integer("MLP width", 1, width_max);
    spec.layers = file.integer("layers", 1, layers_max);
    Spec& attention = spec.attention;
    attention.query_heads = file.integer("query heads", 1, width_max);
    attention.kv_heads = file.integer("key/value heads", 1, width_max);
    const Index vocabulary = file.integer("vocabulary", -extent_max, extent_max);
    attention.capacity = file.integer("positions", 1, extent_max);
    const auto require = [&](bool holds, const std::string& name, Index found,
                             const std::string& expected) {
        if (!holds) file.fail(name, std::to_string(found), expected);
    };
    require(vocabulary != 0, "vocabulary", 0, "an integer that is not zero");
    require(spec.model_width % attention.query_heads == 0, "width", spec.model_width,
            "a multiple of the query heads, which are " + std::to_string(attention.query_heads));
    require(attention.query_heads % attention.kv_heads == 0, "query heads", attention.query_heads,
            "a multiple of the key/value heads, which are " + std::to_string(attention.kv_heads));
    const Index head = spec.model_width / attention.query_heads;
    require(head % 2 == 0, "width of a head", head, "an even number, as its elements are turned");
    attention.key_width = attention.value_width = head;
    attention.rotary = Rotary::adjacent;
    spec.vocabulary = std::abs(vocabulary);
    spec.tied_output = vocabulary > 0;
    spec.norm = Norm::rms;
    spec.norm_epsilon = 1.0F / 100000;
    spec.activation = Activation::swiglu;
    return spec;
}

/// Before anything is allocated, so that a wrong header costs nothing.
void expect_size(const ByteReader& file, const DecoderSpec& spec) {
    const Index width = spec.model_width;
    const Index keys = spec.attention.key_size();
    const Index head = spec.attention.key_width;
    const Index layer =
        2 * width + 2 * width * width + 2 * keys * width + 3 * spec.hidden_width * width;
    const Index matrices = spec.vocabulary * width * (spec.tied_output ? 1 : 2);
    const Index floats = matrices + spec.layers * layer + width + spec.attention.capacity * head;
    const auto expected = std::uint64_t(floats) * sizeof(float);
    if (file.left() == expected) return;
    file.fail("what follows the header", std::to_string(file.left()) + " bytes",
              std::to_string(expected) + ", as the header says");
}

}  // namespace

Checkpoint read_checkpoint(const std::string& path) {
    ByteReader file(path, bytes_max);
    Checkpoint checkpoint;
    checkpoint.spec = read_header(file);
    const DecoderSpec& spec = checkpoint.spec;
    expect_size(file, spec);
    validate(spec, path);
    DecoderParameters& parameters = checkpoint.parameters;
    parameters.layers.resize(std::size_t(spec.layers));
    const Index width = spec.model_width;
    const Index keys = spec.attention.key_size();
    const Index hidden = spec.hidden_width;
    const auto each = [&](const std::string& name, Index size, const auto& array_of) {
        for (std::size_t l = 0; l < parameters.layers.size(); ++l) {
            array_of(parameters.layers[l]) =
                file.floats(name + " of layer " + std::to_string(l), size);
        }
    };
    parameters.embedding = file.floats("embeddings", spec.vocabulary * width);
    each(
        "norm before attention", width, [](auto& l) -> auto& { return l.attention_norm.gain; });
    each(
        "query matrix", width * width, [](auto& l) -> auto& { return l.query.weight; });
    each(
        "key matrix", keys * width, [](auto& l) -> auto& { return l.key.weight; });
    each(
        "value matrix", keys * width, [](auto& l) -> auto& { return l.value.weight; });
    each(
        "output matrix", width * width, [](auto& l) -> auto& { return l.output.weight; });
    each(
        "norm before the MLP", width, [](auto& l) -> auto& { return l.mlp_norm.gain; });
    each(
        "gate matrix", hidden * width, [](auto& l) -> auto& { return l.gate.weight; });
    each(
        "down matrix", hidden * width, [](auto& l) -> auto& { return l.down.weight; });
    each(
        "up matrix", hidden * width, [](auto& l) -> auto& { return l.up.weight; });
    parameters.final_norm.gain = file.floats("last norm", width);
    file.skip("unused tables",
              spec.attention.capacity * spec.attention.key_width * Index(sizeof(float)));
    if (!spec.tied_output) {
        parameters.unembedding = file.floats("matrix of the logits", spec.vocabulary * width);
    }
    file.expect_end();
    return checkpoint;
}

}  // namespace kvcheck
