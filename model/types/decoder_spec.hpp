// SPDX-License-Identifier: Apache-2.0
// A whole decoder as plain data: its conventions and its parameters (clause 14 of
// docs/contract.md). Token ids go in, logits come out; every layer has a cache of its own. Left
// out: norms after a block, mixtures of experts, dropout, and narrow storage of keys and values.
#pragma once

#include <string>
#include <vector>

#include "model/types/parameters.hpp"

namespace kvcheck {

/// What brings a token's vector to unit size: (x - mean) / sqrt(variance + eps), with a gain and a
/// bias (Ba, Kiros, Hinton 2016), or x / sqrt(mean of squares + eps), with a gain (Zhang, Sennrich
/// 2019).
enum class Norm { layer, rms };

/// What stands between the matrices of the MLP: x/2 (1 + erf(x / sqrt 2)); its approximation
/// x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))), both Hendrycks and Gimpel 2016; or
/// up * gate / (1 + e^-gate) with a matrix more (Shazeer 2020). The constants are real numbers.
enum class Activation { gelu_exact, gelu_tanh, swiglu };

struct DecoderSpec {
    /// Heads, cache and positions of every layer, as at attention level, where a caller brings q, k
    /// and v: rows, heads, widths, capacity, scale, window, slopes, rotary positions and the like.
    Spec attention;
    Index layers = 1;
    Index model_width = 1;   // D
    Index hidden_width = 1;  // F, of the MLP
    Index vocabulary = 1;    // V
    /// Added to the embedding of a token, once, below the first layer.
    PositionSignal position_signal = PositionSignal::none;
    Index positions = 0;  // rows of that table; 0 where there is none
    Norm norm = Norm::layer;
    float norm_epsilon = 0;  // eps, exact, inside the root
    Activation activation = Activation::gelu_exact;
    bool biases = false;       // of the six or seven projections; the output has none
    bool tied_output = false;  // logits are products with the embeddings

    bool operator==(const DecoderSpec&) const = default;
};

struct NormParameters {
    std::vector<float> gain;  // [D]
    std::vector<float> bias;  // [D]; empty with Norm::rms

    bool operator==(const NormParameters&) const = default;
};

struct DecoderLayer {
    NormParameters attention_norm;
    Projection query;   // [H*Dk][D]
    Projection key;     // [Hkv*Dk][D]
    Projection value;   // [Hkv*Dv][D]
    Projection output;  // [D][H*Dv]
    NormParameters mlp_norm;
    Projection gate;  // [F][D], only with Activation::swiglu
    Projection up;    // [F][D]
    Projection down;  // [D][F]

    bool operator==(const DecoderLayer&) const = default;
};

struct DecoderParameters {
    std::vector<float> embedding;       // [V][D]
    std::vector<float> position_table;  // [positions][D]; empty without a signal
    /// Slopes, sinks and rotary table, the same in all layers; they are exact inputs.
    Parameters attention;
    std::vector<DecoderLayer> layers;
    NormParameters final_norm;
    std::vector<float> unembedding;  // [V][D]; empty where the output is tied

    bool operator==(const DecoderParameters&) const = default;

    /// [V][D], by which logits are formed.
    const std::vector<float>& output_matrix() const {
        return unembedding.empty() ? embedding : unembedding;
    }
};

/// All zero, of the sizes the spec asks for; `rotary_rows` rows of the rotary table, if there is
/// one.
DecoderParameters zero_decoder(const DecoderSpec& spec, Index rotary_rows);

/// Numbers that are learned: all but slopes, rotary and sinusoidal tables.
Index parameter_count(const DecoderSpec& spec, const DecoderParameters& parameters);

/// Rows of the tables that are read by position ids; a token whose id is not below it is refused
/// (clause 5). extent_max where no table is read.
Index position_limit(const DecoderSpec& spec, const DecoderParameters& parameters);

/// Throws InputError, naming `place` and the field, where the record contradicts itself or the
/// limits.
void validate(const DecoderSpec& spec, const std::string& place = "decoder");

/// Throws InputError where a size does not follow from the spec or a number is not finite.
void validate(const DecoderSpec& spec, const DecoderParameters& parameters,
              const std::string& place = "decoder");

/// Calls visit(name, array, size) for every array of the parameters: `name` as in "layers[1].up",
/// `size` what the spec asks for.
template <class Parameters, class Visit>
void for_each_array(const DecoderSpec& spec, Parameters& parameters, const Visit& visit) {
    const Index width = spec.model_width;
    const auto norm = [&](const std::string& name, auto& one) {
        visit(name + ".gain", one.gain, width);
        visit(name + ".bias", one.bias, spec.norm == Norm::layer ? width : 0);
    };
    const auto projection = [&](const std::string& name, auto& one, Index out, Index in) {
        visit(name + ".weight", one.weight, out * in);
        visit(name + ".bias", one.bias, spec.biases && in > 0 ? out : 0);
    };
    visit("embedding", parameters.embedding, spec.vocabulary * width);
    visit("position_table", parameters.position_table,
          spec.position_signal == PositionSignal::none ? 0 : spec.positions * width);
    for (std::size_t l = 0; l < parameters.layers.size(); ++l) {
        auto& layer = parameters.layers[l];
        const std::string at = "layers[" + std::to_string(l) + "].";
        const Index gated = spec.activation == Activation::swiglu ? width : 0;
        norm(at + "attention_norm", layer.attention_norm);
        projection(at + "query", layer.query, spec.attention.query_size(), width);
        projection(at + "key", layer.key, spec.attention.key_size(), width);
        projection(at + "value", layer.value, spec.attention.value_size(), width);
        projection(at + "output", layer.output, width, spec.attention.attended_size());
        norm(at + "mlp_norm", layer.mlp_norm);
        projection(at + "gate", layer.gate, spec.hidden_width, gated);
        projection(at + "up", layer.up, spec.hidden_width, width);
        projection(at + "down", layer.down, width, spec.hidden_width);
    }
    norm("final_norm", parameters.final_norm);
    visit("unembedding", parameters.unembedding, spec.tied_output ? 0 : spec.vocabulary * width);
}

}  // namespace kvcheck
