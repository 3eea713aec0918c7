// SPDX-License-Identifier: Apache-2.0
// Backwards through a row (declared in adjoint.hpp), and the local bounds on the way. All in
// double: derivatives and radii need no more, and values are those of the truth, rounded.
#include "oracles/decoder/adjoint.hpp"

#include <cmath>

#include "model/decoder.hpp"
#include "oracles/decoder/derivatives.hpp"

namespace kvcheck {

/// The local bounds of one token in one layer.
struct LayerRadii {
    Radii input, normed, query, turned_query, key, stored_key, value, attended, projected, residual,
        mlp_normed, gate, up, activated, down, output;
    std::vector<Attended<double>> heads;  // what its query saw
    std::vector<double> turned;           // its query, rotated
};

struct AdjointBound::Locals {
    std::vector<std::vector<LayerRadii>> layers;  // [tokens][layers]
    std::vector<Radii> normed;                    // [tokens]
    std::vector<Radii> logits;                    // [tokens]
};

/// One pass backwards, for results that are functions of one token's vectors.
class AdjointBound::Sweep {
public:
    Sweep(const AdjointBound& bound, std::size_t token, std::size_t results)
        : bound_(bound), token_(token), sums_(results, 0), stream_(token + 1) {}

    void seed_stream(Columns derivatives) { stream_[token_] = std::move(derivatives); }
    std::vector<double>& sums() { return sums_; }
    const std::vector<Columns>& stream() const { return stream_; }

    /// Through the layers below `layers`, then through the embedding.
    void run(std::size_t layers) {
        for (std::size_t l = layers; l-- > 0;) {
            begin(l);
            for (std::size_t n = 0; n <= token_; ++n) {
                if (!stream_[n].empty()) through_mlp_and_attention(l, n);
            }
            finish(l);
        }
        for (std::size_t n = 0; n <= token_; ++n) {
            if (!stream_[n].empty()) stream_[n].weigh(locals(n, 0).input, sums_);
        }
    }

    /// Of results that are the token's stored keys, or values, of layer l.
    void run_from_stored(std::size_t l, bool key) {
        begin(l);
        const auto& trace = bound_.truth_.high[token_].layers[l];
        const std::size_t size = key ? trace.stored_key.size() : trace.stored_value.size();
        Columns& seeds = key ? keys_[token_] : values_[token_];
        seeds = Columns(size, size);
        for (std::size_t i = 0; i < size; ++i) seeds.row(i)[i] = 1;
        finish(l);
        run(l);
    }

private:
    const LayerRadii& locals(std::size_t token, std::size_t layer) const {
        return bound_.locals_->layers[token][layer];
    }
    const DecoderLayer& parameters(std::size_t layer) const {
        return bound_.parameters_.layers[layer];
    }

    void begin(std::size_t) {
        queries_.assign(token_ + 1, {});
        keys_.assign(token_ + 1, {});
        values_.assign(token_ + 1, {});
    }

    /// stream_[n] becomes the derivatives by the layer's input past its attention; those by what
    /// attention read are gathered.
    void through_mlp_and_attention(std::size_t l, std::size_t n) {
        const DecoderSpec& spec = bound_.spec_;
        const LayerTrace<double>& trace = bound_.truth_.high[n].layers[l];
        const LayerRadii& radii = locals(n, l);
        const DecoderLayer& layer = parameters(l);
        Columns& stream = stream_[n];
        const auto model_width = std::size_t(spec.model_width);
        const auto hidden_width = std::size_t(spec.hidden_width);
        stream.weigh(radii.output, sums_);
        stream.weigh(radii.down, sums_);
        Columns active = transposed_product(layer.down.weight, hidden_width, stream);
        active.weigh(radii.activated, sums_);
        const ActivationSlopes slopes = activation_slopes(spec, trace.gate, trace.up);
        Columns normed;
        if (spec.activation == Activation::swiglu) {
            Columns gate = active;
            gate.scale(slopes.gate);
            gate.weigh(radii.gate, sums_);
            normed = transposed_product(layer.gate.weight, model_width, gate);
        }
        active.scale(slopes.up);
        active.weigh(radii.up, sums_);
        Columns by_up = transposed_product(layer.up.weight, model_width, active);
        if (normed.empty()) {
            normed = std::move(by_up);
        } else {
            normed.add(by_up);
        }
        normed.weigh(radii.mlp_normed, sums_);
        stream.add(through_norm(spec, layer.mlp_norm, trace.residual, normed));
        stream.weigh(radii.residual, sums_);
        stream.weigh(radii.projected, sums_);
        const auto attended_width = std::size_t(spec.attention.attended_size());
        const Columns attended = transposed_product(layer.output.weight, attended_width, stream);
        attended.weigh(radii.attended, sums_);
        through_attention(l, n, attended);
    }

    void through_attention(std::size_t l, std::size_t n, const Columns& attended) {
        const Spec& spec = bound_.spec_.attention;
        const LayerRadii& radii = locals(n, l);
        const std::size_t results = sums_.size();
        const double scale = score_scale<double>(spec);
        const Rules<double> rules;
        queries_[n] = Columns(std::size_t(spec.query_size()), results);
        std::vector<double> by_weight(results);
        std::vector<double> mean(results);
        for (Index head = 0; head < spec.query_heads; ++head) {
            const Attended<double>& seen = radii.heads[std::size_t(head)];
            const auto kv_head = std::size_t(rules.kv_head(spec, head));
            const std::size_t o = std::size_t(head * spec.value_width);
            const std::size_t q = std::size_t(head * spec.key_width);
            const std::size_t k = kv_head * std::size_t(spec.key_width);
            const std::size_t v = kv_head * std::size_t(spec.value_width);
            std::fill(mean.begin(), mean.end(), 0.0);
            for (std::size_t d = 0; d < seen.output.size(); ++d) {
                add_scaled(attended.row(o + d), seen.output[d], mean);
            }
            for (std::size_t i = 0; i < seen.keys.size(); ++i) {
                const std::size_t key = seen.keys[i];
                const LayerTrace<double>& read = bound_.truth_.high[key].layers[l];
                if (keys_[key].empty()) {
                    keys_[key] = Columns(std::size_t(spec.key_size()), results);
                    values_[key] = Columns(std::size_t(spec.value_size()), results);
                }
                std::fill(by_weight.begin(), by_weight.end(), 0.0);
                for (std::size_t d = 0; d < seen.output.size(); ++d) {
                    add_scaled(attended.row(o + d), read.stored_value[v + d], by_weight);
                    add_scaled(attended.row(o + d), seen.weights[i], values_[key].row(v + d));
                }
                const double slope =
                    seen.weights[i] * scale * cap_slope(spec, seen, i, head, n, key);
                for (std::size_t r = 0; r < results; ++r) {
                    by_weight[r] = slope * (by_weight[r] - mean[r]);  // by q.k
                }
                for (std::size_t d = 0; d < std::size_t(spec.key_width); ++d) {
                    add_scaled(by_weight.data(), read.stored_key[k + d], queries_[n].row(q + d));
                    add_scaled(by_weight.data(), radii.turned[q + d], keys_[key].row(k + d));
                }
            }
        }
    }

    /// Of c tanh(s / c) by s, given its value with the bias that was added to it.
    double cap_slope(const Spec& spec, const Attended<double>& seen, std::size_t i, Index head,
                     std::size_t query, std::size_t key) const {
        if (!spec.softcap) return 1;
        const Rules<double> rules;
        const double bias = rules.bias(spec, bound_.parameters_.attention, head,
                                       *bound_.truth_.nodes[query], *bound_.truth_.nodes[key]);
        const double tangent = (seen.scores[i] - bias) / double(*spec.softcap);
        return 1 - tangent * tangent;
    }

    template <class To>
    void add_scaled(const double* from, double factor, To&& to) const {
        for (std::size_t r = 0; r < sums_.size(); ++r) to[r] += factor * from[r];
    }

    /// From q, k and v to the layer's input.
    void finish(std::size_t l) {
        const DecoderSpec& spec = bound_.spec_;
        const DecoderLayer& layer = parameters(l);
        const auto width = std::size_t(spec.model_width);
        for (std::size_t n = 0; n <= token_; ++n) {
            if (queries_[n].empty() && keys_[n].empty() && values_[n].empty()) continue;
            const LayerRadii& radii = locals(n, l);
            Columns normed(width, sums_.size());
            const auto gather = [&](Columns& by, const Radii& turned, const Radii& raw,
                                    const Projection& projection, bool turns) {
                if (by.empty()) return;
                if (turns) {
                    by.weigh(turned, sums_);
                    turn_back(spec, bound_.parameters_, position_of(n), by);
                }
                by.weigh(raw, sums_);
                normed.add(transposed_product(projection.weight, width, by));
            };
            const bool turns = spec.attention.rotary != Rotary::none;
            gather(queries_[n], radii.turned_query, radii.query, layer.query, turns);
            gather(keys_[n], radii.stored_key, radii.key, layer.key, turns);
            gather(values_[n], {}, radii.value, layer.value, false);
            normed.weigh(radii.normed, sums_);
            const Columns through = through_norm(spec, layer.attention_norm,
                                                 bound_.truth_.high[n].layers[l].input, normed);
            if (stream_[n].empty()) {
                stream_[n] = through;
            } else {
                stream_[n].add(through);
            }
        }
    }

    Index position_of(std::size_t n) const {
        return position_id(bound_.spec_.attention.position_ids, *bound_.truth_.nodes[n]);
    }

    const AdjointBound& bound_;
    std::size_t token_;
    std::vector<double> sums_;     // [results]
    std::vector<Columns> stream_;  // [tokens] by the residual stream; empty where there is none
    std::vector<Columns> queries_, keys_, values_;  // [tokens] of the layer at hand
};

AdjointBound::AdjointBound(const DecoderSpec& spec, const DecoderParameters& parameters,
                           const DecoderArithmetic& arithmetic, const DecoderTruth& truth)
    : spec_(spec), parameters_(parameters), truth_(truth), locals_(std::make_unique<Locals>()) {
    const Rounding rounding(arithmetic.profile);
    const Rules<double> rules;
    DecoderRow<double> row{truth.nodes, {}, truth.high};
    for (std::size_t n = 0; n < truth.nodes.size(); ++n) {
        auto& layers = locals_->layers.emplace_back();
        locals_->normed.emplace_back();
        locals_->logits.emplace_back();
        if (!truth.nodes[n]->token.real) continue;
        const Index id = rules.position_id(spec.attention, *truth.nodes[n]);
        for (std::size_t l = 0; l < parameters.layers.size(); ++l) {
            const LayerTrace<double>& trace = truth.high[n].layers[l];
            const DecoderLayer& layer = parameters.layers[l];
            LayerRadii radii;
            if (l == 0 && spec.position_signal != PositionSignal::none) {
                radii.input = sum_bound(rounding, trace.input);
            } else {
                radii.input.assign(trace.input.size(), 0);
            }
            radii.normed = norm_bound(rounding, spec, layer.attention_norm, trace.input);
            const auto product = [&](const Projection& projection, const std::vector<double>& in) {
                return product_bound(rounding, projection.weight, projection.bias, in);
            };
            radii.query = product(layer.query, trace.normed);
            radii.key = product(layer.key, trace.normed);
            radii.value = product(layer.value, trace.normed);
            radii.turned_query =
                turning_bound(arithmetic, rounding, spec, parameters, id, trace.query);
            radii.stored_key = turning_bound(arithmetic, rounding, spec, parameters, id, trace.key);
            radii.turned = turned_query(spec, parameters, trace.query, id);
            const auto tokens = read_tokens(row, l, n);
            for (Index head = 0; head < spec.attention.query_heads; ++head) {
                Attended<double> seen =
                    attend<double>(spec.attention, parameters.attention, rules, tokens,
                                   radii.turned, head, score_scale<double>(spec.attention));
                const Radii own =
                    attention_bound(rounding, spec, parameters, rules.kv_head(spec.attention, head),
                                    head_facts(spec, tokens, seen, head, id, radii.turned,
                                               Radii(radii.turned.size(), 0)));
                radii.attended.insert(radii.attended.end(), own.begin(), own.end());
                radii.heads.push_back(std::move(seen));
            }
            radii.projected = product(layer.output, trace.attended);
            radii.residual = sum_bound(rounding, trace.residual);
            radii.mlp_normed = norm_bound(rounding, spec, layer.mlp_norm, trace.residual);
            if (spec.activation == Activation::swiglu) {
                radii.gate = product(layer.gate, trace.mlp_normed);
            }
            radii.up = product(layer.up, trace.mlp_normed);
            radii.activated = activation_bound(rounding, spec, trace.gate, trace.up);
            radii.down = product(layer.down, trace.activated);
            radii.output = sum_bound(rounding, trace.output);
            layers.push_back(std::move(radii));
        }
        const std::vector<double>& last = truth.high[n].layers.back().output;
        locals_->normed[n] = norm_bound(rounding, spec, parameters.final_norm, last);
        locals_->logits[n] =
            product_bound(rounding, parameters.output_matrix(), {}, truth.high[n].normed);
    }
}

AdjointBound::~AdjointBound() = default;

/// Derivatives of the logits, or only of themselves, by the elements of the last norm.
Columns AdjointBound::by_normed(bool each) const {
    const auto width = std::size_t(spec_.model_width);
    const std::vector<float>& matrix = parameters_.output_matrix();
    Columns seeds(width, each ? std::size_t(spec_.vocabulary) : width);
    for (std::size_t d = 0; d < width; ++d) {
        if (!each) seeds.row(d)[d] = 1;
        for (std::size_t v = 0; each && v < seeds.results(); ++v) {
            seeds.row(d)[v] = matrix[v * width + d];
        }
    }
    return seeds;
}

Radii AdjointBound::logits(std::size_t token) const {
    const auto width = std::size_t(spec_.model_width);
    const auto vocabulary = std::size_t(spec_.vocabulary);
    // Many logits are bounded through the elements of the last norm, of which they are sums.
    constexpr std::size_t worth_it = 2;
    const bool each = vocabulary <= worth_it * width;
    const Columns seeds = by_normed(each);
    Sweep sweep(*this, token, seeds.results());
    seeds.weigh(locals_->normed[token], sweep.sums());
    const std::vector<double>& last = truth_.high[token].layers.back().output;
    sweep.seed_stream(through_norm(spec_, parameters_.final_norm, last, seeds));
    sweep.run(std::size_t(spec_.layers));
    Radii radii = locals_->logits[token];
    const std::vector<float>& matrix = parameters_.output_matrix();
    for (std::size_t v = 0; v < vocabulary; ++v) {
        if (each) radii[v] += sweep.sums()[v];
        for (std::size_t d = 0; !each && d < width; ++d) {
            const double weight = std::fabs(double(matrix[v * width + d]));
            radii[v] += std::isinf(sweep.sums()[d]) ? sweep.sums()[d] : weight * sweep.sums()[d];
        }
        radii[v] = with_second_order(radii[v]);
    }
    return radii;
}

std::vector<Columns> AdjointBound::logits_by_input(std::size_t token) const {
    const Columns seeds = by_normed(true);
    Sweep sweep(*this, token, seeds.results());
    const std::vector<double>& last = truth_.high[token].layers.back().output;
    sweep.seed_stream(through_norm(spec_, parameters_.final_norm, last, seeds));
    sweep.run(std::size_t(spec_.layers));
    return sweep.stream();
}

Radii AdjointBound::stored_key(std::size_t token, std::size_t layer) const {
    const std::size_t size = truth_.high[token].layers[layer].stored_key.size();
    Sweep sweep(*this, token, size);
    sweep.run_from_stored(layer, true);
    for (double& radius : sweep.sums()) radius = with_second_order(radius);
    return sweep.sums();
}

Radii AdjointBound::stored_value(std::size_t token, std::size_t layer) const {
    const std::size_t size = truth_.high[token].layers[layer].stored_value.size();
    Sweep sweep(*this, token, size);
    sweep.run_from_stored(layer, false);
    for (double& radius : sweep.sums()) radius = with_second_order(radius);
    return sweep.sums();
}

}  // namespace kvcheck
