// SPDX-License-Identifier: Apache-2.0
// Operations on a subject's own inputs (declared in taps.hpp).
#include "oracles/decoder/taps.hpp"

#include <cmath>
#include <limits>

#include "oracles/error_function.hpp"

#include "model/decoder.hpp"
#include "oracles/decoder/derivatives.hpp"

namespace kvcheck {
namespace {

using Wide = std::vector<Number>;
using Doubles = std::vector<double>;

Wide widened(const Doubles& values) { return {values.begin(), values.end()}; }

class Check {
public:
    Check(const DecoderSpec& spec, const DecoderParameters& parameters,
          const DecoderArithmetic& arithmetic, const std::vector<DecoderToken>& tokens,
          const std::vector<TokenTaps>& taps)
        : spec_(spec),
          parameters_(parameters),
          arithmetic_(arithmetic),
          rounding_(arithmetic.profile),
          tokens_(tokens),
          taps_(taps),
          history_(decoder_history(tokens)),
          nodes_(history_.tokens()) {}

    TapVerdict verdict() {
        for (std::size_t n = 0; n < tokens_.size(); ++n) {
            if (tokens_[n].real) token(n);
        }
        return verdict_;
    }

private:
    void token(std::size_t n) {
        token_ = n;
        layer_.reset();
        const TokenTaps& taps = taps_[n];
        id_ = rules_.position_id(spec_.attention, *nodes_[n]);
        if (taps.layers.size() != parameters_.layers.size()) {
            return report(Operation::layer_input, 0, double(taps.layers.size()), {}, true);
        }
        const Wide x = embedded<Number>(spec_, parameters_, tokens_[n].id, id_);
        const bool adds = spec_.position_signal != PositionSignal::none;
        compare(Operation::embedding, taps.layers[0].input, x,
                adds ? sum_bound(rounding_, narrowed(x)) : Radii(x.size(), 0));
        for (std::size_t l = 0; l < taps.layers.size(); ++l) {
            layer_ = l;
            if (l > 0)
                same(Operation::layer_input, taps.layers[l].input, taps.layers[l - 1].output);
            layer(n, l, taps.layers[l]);
        }
        layer_.reset();
        norm(Operation::final_norm, parameters_.final_norm, taps.layers.back().output, taps.normed);
        compare(Operation::logits, taps.logits, logits_of(spec_, parameters_, widened(taps.normed)),
                product_bound(rounding_, parameters_.output_matrix(), {}, taps.normed));
    }

    void layer(std::size_t n, std::size_t l, const LayerTrace<double>& taps) {
        const DecoderLayer& layer = parameters_.layers[l];
        norm(Operation::attention_norm, layer.attention_norm, taps.input, taps.normed);
        product(Operation::query, layer.query, taps.normed, taps.query);
        product(Operation::key, layer.key, taps.normed, taps.key);
        product(Operation::value, layer.value, taps.normed, taps.value);
        if (!sizes_fit(n, l)) return;
        const bool turns = spec_.attention.rotary != Rotary::none;
        const Wide key = widened(taps.key);
        compare(Operation::cached_key, taps.stored_key,
                turns ? rotated(spec_.attention, parameters_.attention, key, id_) : key,
                turning_bound(arithmetic_, rounding_, spec_, parameters_, id_, taps.key));
        same(Operation::cached_value, taps.stored_value, taps.value);
        attention(n, l, taps);
        product(Operation::projection, layer.output, taps.attended, taps.projected);
        sum(Operation::residual, taps.input, taps.projected, taps.residual);
        norm(Operation::mlp_norm, layer.mlp_norm, taps.residual, taps.mlp_normed);
        if (spec_.activation == Activation::swiglu) {
            product(Operation::gate, layer.gate, taps.mlp_normed, taps.gate);
        }
        product(Operation::up, layer.up, taps.mlp_normed, taps.up);
        compare(Operation::activation, taps.activated,
                activated(spec_, widened(taps.gate), widened(taps.up)),
                activation_bound(rounding_, spec_, taps.gate, taps.up));
        product(Operation::down, layer.down, taps.activated, taps.down);
        sum(Operation::layer_output, taps.residual, taps.down, taps.output);
    }

    void attention(std::size_t n, std::size_t l, const LayerTrace<double>& taps) {
        DecoderRow<Number> row;
        DecoderRow<double> narrow_row;
        for (std::size_t k = 0; k <= n; ++k) {
            row.nodes.push_back(nodes_[k]);
            narrow_row.nodes.push_back(nodes_[k]);
            auto& wide = row.traces.emplace_back().layers;
            auto& narrow = narrow_row.traces.emplace_back().layers;
            wide.resize(l + 1);
            narrow.resize(l + 1);
            if (!tokens_[k].real) continue;
            wide[l].stored_key = widened(taps_[k].layers[l].stored_key);
            wide[l].stored_value = widened(taps_[k].layers[l].stored_value);
            narrow[l].stored_key = taps_[k].layers[l].stored_key;
            narrow[l].stored_value = taps_[k].layers[l].stored_value;
        }
        const Wide query = turned_query(spec_, parameters_, widened(taps.query), id_);
        const Radii query_radius =
            turning_bound(arithmetic_, rounding_, spec_, parameters_, id_, taps.query);
        const auto tokens = read_tokens(row, l, n);
        const auto narrow_tokens = read_tokens(narrow_row, l, n);
        const Number scale = score_scale<Number>(spec_.attention);
        Wide right;
        Radii radii;
        for (Index head = 0; head < spec_.attention.query_heads; ++head) {
            const Attended<Number> seen = attend<Number>(spec_.attention, parameters_.attention,
                                                         rules_, tokens, query, head, scale);
            Attended<double> narrow{seen.keys,
                                    narrowed(seen.scores),
                                    narrowed(seen.weights),
                                    {},
                                    narrowed(seen.output)};
            if (seen.sink) narrow.sink = static_cast<double>(*seen.sink);
            const Radii own = attention_bound(
                rounding_, spec_, parameters_, rules_.kv_head(spec_.attention, head),
                head_facts(spec_, narrow_tokens, narrow, head, id_, narrowed(query), query_radius));
            Wide output = seen.output;
            output.resize(std::size_t(spec_.attention.value_width), Number(0));
            right.insert(right.end(), output.begin(), output.end());
            radii.insert(radii.end(), own.begin(), own.end());
        }
        compare(Operation::attention, taps.attended, right, radii);
    }

    /// What attention reads of other tokens must be there before it is read.
    bool sizes_fit(std::size_t n, std::size_t l) {
        const auto keys = std::size_t(spec_.attention.key_size());
        const auto values = std::size_t(spec_.attention.value_size());
        for (std::size_t k = 0; k <= n; ++k) {
            if (!tokens_[k].real) continue;
            const auto& layers = taps_[k].layers;
            const bool fit = layers.size() > l && layers[l].stored_key.size() == keys &&
                             layers[l].stored_value.size() == values;
            if (fit) continue;
            report(Operation::cached_key, 0, 0, {}, true);
            return false;
        }
        return true;
    }

    void norm(Operation operation, const NormParameters& parameters, const Doubles& in,
              const Doubles& out) {
        if (!expect_size(operation, in, std::size_t(spec_.model_width))) return;
        compare(operation, out, normalised(spec_, parameters, widened(in)),
                norm_bound(rounding_, spec_, parameters, in));
    }

    void product(Operation operation, const Projection& projection, const Doubles& in,
                 const Doubles& out) {
        if (in.empty() || projection.weight.size() % in.size() != 0) {
            return report(operation, 0, double(in.size()), {}, true);
        }
        compare(operation, out, project(projection, widened(in)),
                product_bound(rounding_, projection.weight, projection.bias, in));
    }

    void sum(Operation operation, const Doubles& a, const Doubles& b, const Doubles& out) {
        if (!expect_size(operation, a, b.size())) return;
        const Wide right = plus(widened(a), widened(b));
        compare(operation, out, right, sum_bound(rounding_, narrowed(right)));
    }

    void same(Operation operation, const Doubles& seen, const Doubles& right) {
        compare(operation, seen, widened(right), Radii(right.size(), 0));
    }

    static Doubles narrowed(const Wide& values) {
        Doubles narrow;
        for (const Number& value : values) narrow.push_back(static_cast<double>(value));
        return narrow;
    }

    bool expect_size(Operation operation, const Doubles& seen, std::size_t size) {
        if (seen.size() == size) return true;
        report(operation, 0, double(seen.size()), {}, true);
        return false;
    }

    void compare(Operation operation, const Doubles& seen, const Wide& right, const Radii& radii) {
        if (!expect_size(operation, seen, right.size())) return;
        for (std::size_t i = 0; i < seen.size(); ++i) {
            const auto high = static_cast<double>(right[i]);
            const auto low = static_cast<double>(Number(right[i] - Number(high)));
            report(operation, i, seen[i], {high, low, radii[i]}, false);
        }
        verdict_.numbers += seen.size();
    }

    void report(Operation operation, std::size_t element, double seen, const Answer& right,
                bool missing) {
        if (!missing && std::isinf(right.bound)) return;  // outside the domain
        const double ratio =
            missing ? std::numeric_limits<double>::infinity() : deviation_of(seen, right, 53).ratio;
        const TapFinding finding{operation, layer_, token_, element, seen, right, ratio};
        if (!(ratio <= verdict_.worst.ratio)) verdict_.worst = finding;
        if (!(ratio <= 1) && !verdict_.first) verdict_.first = finding;
    }

    const DecoderSpec& spec_;
    const DecoderParameters& parameters_;
    DecoderArithmetic arithmetic_;
    Rounding rounding_;
    const std::vector<DecoderToken>& tokens_;
    const std::vector<TokenTaps>& taps_;
    History history_;
    std::vector<const Node*> nodes_;
    Rules<Number> rules_;
    TapVerdict verdict_;
    Index id_ = 0;
    std::size_t token_ = 0;
    std::optional<std::size_t> layer_;
};

}  // namespace

std::string_view name_of(Operation operation) {
    switch (operation) {
        case Operation::embedding:
            return "embedding";
        case Operation::layer_input:
            return "layer input";
        case Operation::attention_norm:
            return "norm before attention";
        case Operation::query:
            return "query projection";
        case Operation::key:
            return "key projection";
        case Operation::value:
            return "value projection";
        case Operation::cached_key:
            return "cached key";
        case Operation::cached_value:
            return "cached value";
        case Operation::attention:
            return "attention";
        case Operation::projection:
            return "output projection";
        case Operation::residual:
            return "residual after attention";
        case Operation::mlp_norm:
            return "norm before the MLP";
        case Operation::gate:
            return "gate projection";
        case Operation::up:
            return "up projection";
        case Operation::activation:
            return "activation";
        case Operation::down:
            return "down projection";
        case Operation::layer_output:
            return "residual after the MLP";
        case Operation::final_norm:
            return "final norm";
        case Operation::logits:
            break;
    }
    return "logits";
}

TapVerdict check_taps(const DecoderSpec& spec, const DecoderParameters& parameters,
                      const DecoderArithmetic& arithmetic, const std::vector<DecoderToken>& tokens,
                      const std::vector<TokenTaps>& taps) {
    if (taps.size() < tokens.size()) {
        TapVerdict verdict;
        verdict.worst.ratio = std::numeric_limits<double>::infinity();
        verdict.first = verdict.worst;
        return verdict;
    }
    return Check(spec, parameters, arithmetic, tokens, taps).verdict();
}

}  // namespace kvcheck
