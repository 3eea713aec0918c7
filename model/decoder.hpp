// SPDX-License-Identifier: Apache-2.0
// A whole decoder as plain loops over any scalar type: clause 14 of docs/contract.md. Layer after
// layer over all tokens of one row; no cache appears here. Built of attention.hpp, layer.hpp,
// rotary.hpp and decoder_parts.hpp, which have the operations.
#pragma once

#include <vector>

#include "model/attention.hpp"
#include "model/decoder_parts.hpp"
#include "model/layer.hpp"
#include "model/rotary.hpp"
#include "model/types/decoder_trace.hpp"

namespace kvcheck {

/// What a decoder is given of one row, and what it made of it so far.
template <class Scalar>
struct DecoderRow {
    std::vector<const Node*> nodes;          // in slot order
    std::vector<Index> tokens;               // [nodes] token ids; those of padding are not read
    std::vector<TokenTrace<Scalar>> traces;  // [nodes]
};

/// The rule of the scale (clause 1).
template <class Scalar>
Scalar score_scale(const Spec& spec) {
    using std::sqrt;
    if (spec.scale) return Scalar(*spec.scale);
    return Scalar(1) / sqrt(Scalar(double(spec.key_width)));
}

/// The embedding of a token, with the signal of its position where there is one.
template <class Scalar>
std::vector<Scalar> embedded(const DecoderSpec& spec, const DecoderParameters& parameters,
                             Index token, Index id) {
    const auto width = std::size_t(spec.model_width);
    std::vector<Scalar> x;
    for (std::size_t d = 0; d < width; ++d) {
        x.emplace_back(parameters.embedding[std::size_t(token) * width + d]);
        if (spec.position_signal == PositionSignal::none) continue;
        x.back() += Scalar(parameters.position_table[std::size_t(id) * width + d]);
    }
    return x;
}

template <class Scalar>
std::vector<Scalar> plus(const std::vector<Scalar>& a, const std::vector<Scalar>& b) {
    std::vector<Scalar> sum;
    for (std::size_t d = 0; d < a.size(); ++d) sum.push_back(a[d] + b[d]);
    return sum;
}

/// From the residual stream to q, k and v, and what the cache holds of them.
template <class Scalar>
void before_attention(const DecoderSpec& spec, const DecoderParameters& parameters,
                      const DecoderLayer& layer, Index id, LayerTrace<Scalar>& trace) {
    trace.normed = normalised(spec, layer.attention_norm, trace.input);
    trace.query = project(layer.query, trace.normed);
    trace.key = project(layer.key, trace.normed);
    trace.value = project(layer.value, trace.normed);
    const bool turns = spec.attention.rotary != Rotary::none;
    trace.stored_key =
        turns ? rotated(spec.attention, parameters.attention, trace.key, id) : trace.key;
    trace.stored_value = trace.value;
}

/// From what attention gives to the residual stream after the layer.
template <class Scalar>
void after_attention(const DecoderSpec& spec, const DecoderLayer& layer,
                     LayerTrace<Scalar>& trace) {
    trace.projected = project(layer.output, trace.attended);
    trace.residual = plus(trace.input, trace.projected);
    trace.mlp_normed = normalised(spec, layer.mlp_norm, trace.residual);
    if (spec.activation == Activation::swiglu) trace.gate = project(layer.gate, trace.mlp_normed);
    trace.up = project(layer.up, trace.mlp_normed);
    trace.activated = activated(spec, trace.gate, trace.up);
    trace.down = project(layer.down, trace.activated);
    trace.output = plus(trace.residual, trace.down);
}

/// The keys and values that tokens of the row up to number `last` hold in a layer.
template <class Scalar>
std::vector<ReadToken<Scalar>> read_tokens(const DecoderRow<Scalar>& row, std::size_t layer,
                                           std::size_t last) {
    static const std::vector<Scalar> none;
    std::vector<ReadToken<Scalar>> tokens;
    for (std::size_t n = 0; n <= last; ++n) {
        const bool real = row.nodes[n]->token.real;
        const auto& layers = row.traces[n].layers;
        tokens.push_back({row.nodes[n], real ? &layers[layer].stored_key : &none,
                          real ? &layers[layer].stored_value : &none});
    }
    return tokens;
}

/// o of all heads of the last of the tokens, whose rotated query is given; zeros of a dead row.
template <class Scalar>
std::vector<Scalar> attended_heads(const DecoderSpec& spec, const DecoderParameters& parameters,
                                   const Rules<Scalar>& rules,
                                   const std::vector<ReadToken<Scalar>>& tokens,
                                   const std::vector<Scalar>& query) {
    std::vector<Scalar> heads;
    const auto scale = score_scale<Scalar>(spec.attention);
    for (Index head = 0; head < spec.attention.query_heads; ++head) {
        Attended<Scalar> one =
            attend<Scalar>(spec.attention, parameters.attention, rules, tokens, query, head, scale);
        one.output.resize(std::size_t(spec.attention.value_width), Scalar(0));
        heads.insert(heads.end(), one.output.begin(), one.output.end());
    }
    return heads;
}

template <class Scalar>
std::vector<Scalar> turned_query(const DecoderSpec& spec, const DecoderParameters& parameters,
                                 const std::vector<Scalar>& query, Index id) {
    if (spec.attention.rotary == Rotary::none) return query;
    return rotated(spec.attention, parameters.attention, query, id);
}

/// W x, of the matrix of the logits.
template <class Scalar>
std::vector<Scalar> logits_of(const DecoderSpec& spec, const DecoderParameters& parameters,
                              const std::vector<Scalar>& normed) {
    const std::vector<float>& matrix = parameters.output_matrix();
    std::vector<Scalar> logits;
    for (Index v = 0; v < spec.vocabulary; ++v) {
        Scalar sum(0);
        for (std::size_t d = 0; d < normed.size(); ++d) {
            sum += Scalar(matrix[std::size_t(v) * normed.size() + d]) * normed[d];
        }
        logits.push_back(sum);
    }
    return logits;
}

/// Fills the traces of a row's real tokens from nodes and tokens.
template <class Scalar>
void decode(const DecoderSpec& spec, const DecoderParameters& parameters,
            const Rules<Scalar>& rules, DecoderRow<Scalar>& row) {
    row.traces.assign(row.nodes.size(), {});
    const auto id = [&](std::size_t n) { return rules.position_id(spec.attention, *row.nodes[n]); };
    for (std::size_t l = 0; l < parameters.layers.size(); ++l) {
        const DecoderLayer& layer = parameters.layers[l];
        for (std::size_t n = 0; n < row.nodes.size(); ++n) {
            if (!row.nodes[n]->token.real) continue;
            auto& layers = row.traces[n].layers;
            LayerTrace<Scalar> trace;
            trace.input = l == 0 ? embedded<Scalar>(spec, parameters, row.tokens[n], id(n))
                                 : layers.back().output;
            before_attention(spec, parameters, layer, id(n), trace);
            layers.push_back(std::move(trace));
        }
        for (std::size_t n = 0; n < row.nodes.size(); ++n) {
            if (!row.nodes[n]->token.real) continue;
            LayerTrace<Scalar>& trace = row.traces[n].layers[l];
            const std::vector<Scalar> query = turned_query(spec, parameters, trace.query, id(n));
            trace.attended = attended_heads(spec, parameters, rules, read_tokens(row, l, n), query);
            after_attention(spec, layer, trace);
        }
    }
    for (std::size_t n = 0; n < row.nodes.size(); ++n) {
        if (!row.nodes[n]->token.real) continue;
        TokenTrace<Scalar>& trace = row.traces[n];
        trace.normed = normalised(spec, parameters.final_norm, trace.layers.back().output);
        trace.logits = logits_of(spec, parameters, trace.normed);
    }
}

}  // namespace kvcheck
