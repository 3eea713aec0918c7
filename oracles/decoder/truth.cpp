// SPDX-License-Identifier: Apache-2.0
// A decoder at fifty digits (declared in truth.hpp).
#include "oracles/decoder/truth.hpp"

#include "oracles/error_function.hpp"

#include "model/decoder.hpp"

namespace kvcheck {
namespace {

using Wide = std::vector<Number>;

std::vector<double> rounded(const Wide& values) {
    std::vector<double> high;
    for (const Number& value : values) high.push_back(static_cast<double>(value));
    return high;
}

std::vector<double> left_over(const Wide& values) {
    std::vector<double> low;
    for (const Number& value : values) {
        low.push_back(static_cast<double>(Number(value - Number(static_cast<double>(value)))));
    }
    return low;
}

template <class Part>
TokenTrace<double> part_of(const TokenTrace<Number>& trace, const Part& part) {
    TokenTrace<double> result;
    for (const LayerTrace<Number>& layer : trace.layers) {
        LayerTrace<double>& of_layer = result.layers.emplace_back();
        of_layer.input = part(layer.input);
        of_layer.normed = part(layer.normed);
        of_layer.query = part(layer.query);
        of_layer.key = part(layer.key);
        of_layer.stored_key = part(layer.stored_key);
        of_layer.stored_value = part(layer.stored_value);
        of_layer.value = part(layer.value);
        of_layer.attended = part(layer.attended);
        of_layer.projected = part(layer.projected);
        of_layer.residual = part(layer.residual);
        of_layer.mlp_normed = part(layer.mlp_normed);
        of_layer.gate = part(layer.gate);
        of_layer.up = part(layer.up);
        of_layer.activated = part(layer.activated);
        of_layer.down = part(layer.down);
        of_layer.output = part(layer.output);
    }
    result.normed = part(trace.normed);
    result.logits = part(trace.logits);
    return result;
}

}  // namespace

std::vector<DecoderToken> real_tokens(const std::vector<Index>& ids) {
    std::vector<DecoderToken> tokens;
    tokens.reserve(ids.size());
    for (const Index id : ids) tokens.push_back({id, true});
    return tokens;
}

History decoder_history(const std::vector<DecoderToken>& tokens) {
    History history;
    for (const DecoderToken& token : tokens) {
        history = history.with({token.real, {float(token.id)}});
    }
    return history;
}

DecoderTruth decoder_truth(const DecoderSpec& spec, const DecoderParameters& parameters,
                           const History& history) {
    DecoderTruth truth;
    truth.history = history;
    truth.nodes = truth.history.tokens();
    DecoderRow<Number> row;
    row.nodes = truth.nodes;
    for (const Node* node : truth.nodes) {
        // Ids are below extent_max, so that a float holds them.
        const Index id = node->token.real ? Index(node->token.input.front()) : 0;
        truth.tokens.push_back({id, node->token.real});
        row.tokens.push_back(id);
    }
    decode(spec, parameters, Rules<Number>(), row);
    for (const TokenTrace<Number>& trace : row.traces) {
        truth.high.push_back(part_of(trace, rounded));
        truth.low.push_back(part_of(trace, left_over));
    }
    return truth;
}

DecoderTruth decoder_truth(const DecoderSpec& spec, const DecoderParameters& parameters,
                           const std::vector<DecoderToken>& tokens) {
    return decoder_truth(spec, parameters, decoder_history(tokens));
}

std::vector<Answer> answers_of(const std::vector<double>& high, const std::vector<double>& low,
                               const std::vector<double>& bound) {
    std::vector<Answer> answers;
    for (std::size_t i = 0; i < high.size(); ++i) answers.push_back({high[i], low[i], bound[i]});
    return answers;
}

}  // namespace kvcheck
