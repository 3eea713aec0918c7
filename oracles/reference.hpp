// SPDX-License-Identifier: Apache-2.0
// The reference: model/attention.hpp and model/layer.hpp run in a wide number type, and the error
// bound beside each value. A template, so that a test can ask for more digits; all else uses
// Oracle. Other rules than the right ones give a wrong model's answers. Include in .cpp files only.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/attention.hpp"
#include "model/layer.hpp"
#include "model/rotary.hpp"
#include "oracles/error_bound.hpp"
#include "oracles/quantise.hpp"
#include "oracles/rotation_bound.hpp"
#include "oracles/storage.hpp"
#include "oracles/truth.hpp"

namespace kvcheck {

template <class Number>
class Reference {
public:
    /// A vector and how far a correct program's own may be from it.
    struct Ball {
        std::vector<Number> value;
        std::vector<double> radius;
    };

    /// One token, projected: what it asks, and what others read of it.
    struct Read {
        const Node* node = nullptr;
        Ball query;       // empty where no output of it is compared
        Ball key, value;  // empty where padding
        Ball raw_key;     // before it is rotated; empty where nothing is
        std::vector<StoredRange> key_ranges, value_ranges;  // where storage is narrow
        bool in_domain = true;                              // of its own projections
    };

    /// Keeps references: `parameters` and `rules` outlive it.
    Reference(const Spec& spec, const Parameters& parameters, const NumericProfile& profile,
              const Rules<Number>& rules = right_rules(), StoredKeys stored_keys = StoredKeys::raw)
        : spec_(spec),
          parameters_(parameters),
          rules_(rules),
          stores_rotated_(stored_keys == StoredKeys::rotated),
          rounding_(profile),
          scale_(exact_scale(spec)) {}

    static const Rules<Number>& right_rules() {
        static const Rules<Number> rules;
        return rules;
    }

    /// Contents of which nothing is needed are not read and need not be finite. Keeps a pointer to
    /// the token.
    Read read(const Node& node) const {
        const Token& token = node.token;
        const bool wants_query = token.real || spec_.padded_query == PaddedQuery::computed;
        Read read;
        read.node = &node;
        if (!wants_query) return read;
        if (spec_.level == Level::attention) {
            const Index query = spec_.query_size();
            const Index key = spec_.key_size();
            read.query = exact(token.input, 0, query);
            if (token.real) {
                read.key = exact(token.input, query, key);
                read.value = exact(token.input, query + key, spec_.value_size());
            }
            rotate_and_store(read);
            return read;
        }
        const Ball x = with_position(exact(token.input, 0, spec_.model_width),
                                     rules_.position_id(spec_, node), read.in_domain);
        read.query = projected(parameters_.query, x, read.in_domain);
        if (token.real) {
            read.key = projected(parameters_.key, x, read.in_domain);
            read.value = projected(parameters_.value, x, read.in_domain);
        }
        rotate_and_store(read);
        return read;
    }

    StoredTruth stored(const Read& read) const {
        const bool is_turned = spec_.rotary != Rotary::none;
        return {answers(is_turned ? read.raw_key : read.key),
                answers(read.value),
                is_turned ? answers(read.key) : std::vector<Answer>(),
                read.in_domain,
                spec_.storage,
                read.key_ranges,
                read.value_ranges};
    }

    /// Takes a subject's stored values as exact where all of a vector's lie within their bounds.
    /// Raw keys are rotated afterwards, as the subject does whenever it reads them.
    void adopt(const std::vector<double>& key, const std::vector<double>& value, bool is_rotated,
               const StoredTruth& truth, Read& read) const {
        std::vector<Answer> right;
        for (std::size_t i = 0; i < truth.value.size(); ++i)
            right.push_back(truth.answer_of_value(i, value[i]));
        adopt(value, right, read.value);
        right.clear();
        for (std::size_t i = 0; i < truth.shown_key(is_rotated).size(); ++i)
            right.push_back(truth.answer_of_key(is_rotated, i, key[i]));
        if (is_rotated || spec_.rotary == Rotary::none) {
            adopt(key, right, read.key);
        } else if (!truth.key.empty()) {
            adopt(key, right, read.raw_key);
            read.key = turned(read.raw_key, *read.node, read.in_domain);
        }
    }

    /// True of what was adopted.
    static bool is_exact(const Ball& ball) {
        return std::all_of(ball.radius.begin(), ball.radius.end(),
                           [](double radius) { return radius == 0; });
    }

    Standing standing(const Node& query) const {
        const bool wanted = query.token.real || spec_.padded_query == PaddedQuery::computed;
        for (const Node* key = &query; key != nullptr; key = key->parent().get()) {
            if (rules_.sees(spec_, query, *key)) return {wanted, false};
        }
        if (spec_.sinks) return {wanted, false};
        return {wanted && spec_.dead_row != DeadRow::unspecified, true};
    }

    /// What the last token of a row gets, which is given as its path.
    TokenTruth answer(const std::vector<const Read*>& row) const {
        const Read& own = *row.back();
        TokenTruth truth;
        truth.standing = standing(*own.node);
        const bool wanted = own.node->token.real || spec_.padded_query == PaddedQuery::computed;
        if (!wanted) return truth;
        truth.in_domain = own.in_domain;
        std::vector<ReadToken<Number>> tokens;
        for (const Read* read : row) {
            tokens.push_back({read->node, &read->key.value, &read->value.value});
            if (!rules_.sees(spec_, *own.node, *read->node)) continue;
            truth.in_domain = truth.in_domain && read->in_domain;
        }
        Ball attended;
        for (Index head = 0; head < spec_.query_heads; ++head) {
            answer_head(row, tokens, head, truth, attended);
        }
        if (truth.standing.dead) answer_dead(truth, attended);
        if (!truth.output.empty()) return truth;  // NaN through and through
        truth.output = spec_.level == Level::layer
                           ? answers(projected(parameters_.output, attended, truth.in_domain))
                           : answers(attended);
        return truth;
    }

private:
    static Number exact_scale(const Spec& spec) {
        using std::sqrt;
        if (spec.scale) return Number(*spec.scale);
        return Number(1) / sqrt(Number(spec.key_width));
    }

    /// What partial sums may exceed the exact magnitude by before they overflow.
    static constexpr double overflow_reserve = 1.01;
    static double narrow(const Number& value) { return static_cast<double>(value); }
    static Answer answer(const Number& value, double bound) {
        return {narrow(value), narrow(Number(value - Number(narrow(value)))), bound};
    }

    static std::vector<Answer> answers(const Ball& ball) {
        std::vector<Answer> list;
        for (std::size_t i = 0; i < ball.value.size(); ++i) {
            list.push_back(answer(ball.value[i], ball.radius[i]));
        }
        return list;
    }

    static Ball exact(const std::vector<float>& values, Index begin, Index size) {
        Ball ball;
        for (Index i = begin; i < begin + size; ++i) {
            ball.value.emplace_back(values[std::size_t(i)]);
            ball.radius.push_back(0);
        }
        return ball;
    }

    /// x + table[id]: one addition, and the table's own error where the subject makes it.
    Ball with_position(Ball x, Index id, bool& in_domain) const {
        if (spec_.position_signal == PositionSignal::none) return x;
        const double table_error = spec_.position_signal == PositionSignal::sinusoidal
                                       ? rounding_.profile.position_table_error
                                       : 0;
        x.value = add_position(spec_, parameters_, x.value, id);
        for (std::size_t d = 0; d < x.value.size(); ++d) {
            const double reach = std::fabs(narrow(x.value[d])) + table_error;
            x.radius[d] = enlarged(table_error + rounding_.u * reach + 2 * rounding_.eta);
            in_domain = in_domain && overflow_reserve * reach < rounding_.omega;
        }
        return x;
    }

    void rotate_and_store(Read& read) const {
        const auto store = [&](Ball& heads, Index width, std::vector<StoredRange>& ranges) {
            const bool fits =
                store_heads(rounding_, spec_.storage, width, heads.value, heads.radius, ranges);
            read.in_domain = read.in_domain && fits;
        };
        const auto store_key = [&] { store(read.key, spec_.key_width, read.key_ranges); };
        store(read.value, spec_.value_width, read.value_ranges);
        if (spec_.rotary == Rotary::none || !stores_rotated_) store_key();
        if (spec_.rotary == Rotary::none) return;
        read.query = turned(read.query, *read.node, read.in_domain);
        read.raw_key = std::move(read.key);
        read.key = turned(read.raw_key, *read.node, read.in_domain);
        if (stores_rotated_) store_key();
    }

    /// All heads of a query or a key, rotated.
    Ball turned(const Ball& heads, const Node& node, bool& in_domain) const {
        if (heads.value.empty()) return {};
        const Index id = turn_of(spec_, parameters_, rules_.unshifted_id(spec_, node));
        const float* const row = parameters_.rotary_table.data() + id * spec_.turned_width();
        std::vector<double> size;
        for (const Number& x : heads.value) size.push_back(std::fabs(narrow(x)));
        RotationBound bound = rotation_bound(rounding_, spec_, row, size, heads.radius);
        in_domain = in_domain && overflow_reserve * bound.magnitude < rounding_.omega;
        return {rotated(spec_, parameters_, heads.value, id), std::move(bound.radius)};
    }

    /// W in + b; `in_domain` becomes false where a correct program may overflow.
    Ball projected(const Projection& projection, const Ball& in, bool& in_domain) const {
        Ball out{project(projection, in.value), {}};
        const std::size_t width = in.value.size();
        for (std::size_t i = 0; i < out.value.size(); ++i) {
            DotFacts facts;
            facts.n = double(width);
            facts.has_bias = !projection.bias.empty();
            if (facts.has_bias) facts.magnitude = std::fabs(double(projection.bias[i]));
            for (std::size_t d = 0; d < width; ++d) {
                const double w = std::fabs(double(projection.weight[i * width + d]));
                const double x = std::fabs(narrow(in.value[d])) + in.radius[d];
                facts.spread += w * in.radius[d];
                facts.magnitude += w * x;
                facts.weight_sum += w;
                facts.input_sum += x;
            }
            in_domain = in_domain && overflow_reserve * facts.magnitude < rounding_.omega;
            out.radius.push_back(dot_radius(rounding_, facts));
        }
        return out;
    }

    void adopt(const std::vector<double>& stored, const std::vector<Answer>& right,
               Ball& ball) const {
        for (std::size_t i = 0; i < right.size(); ++i) {
            if (!deviation_of(stored[i], right[i], 53).within()) return;
        }
        for (std::size_t i = 0; i < right.size(); ++i) {
            ball.value[i] = Number(stored[i]);
            // (20)
            ball.radius[i] = spec_.storage == Storage::int8 ? dequantised(rounding_, stored[i]) : 0;
        }
    }

    void answer_dead(TokenTruth& truth, Ball& attended) const {
        const auto size = std::size_t(spec_.attended_size());
        attended = {std::vector<Number>(size, Number(0)), std::vector<double>(size, 0)};
        constexpr Answer nan = {std::numeric_limits<double>::quiet_NaN(), 0, 0};
        if (spec_.dead_row == DeadRow::nan)
            truth.output.assign(std::size_t(spec_.output_size()), nan);
    }

    void answer_head(const std::vector<const Read*>& row,
                     const std::vector<ReadToken<Number>>& tokens, Index head, TokenTruth& truth,
                     Ball& attended) const {
        const Attended<Number> result = attend<Number>(spec_, parameters_, rules_, tokens,
                                                       row.back()->query.value, head, scale_);
        std::vector<Answer>& weights = truth.weights.emplace_back(row.size());
        if (result.keys.empty()) {
            truth.weight_sum.push_back({0, 0, 0});
            truth.score_size.push_back(0);
            truth.log_sum_exp.push_back({-std::numeric_limits<double>::infinity(), 0, 0});
            if (!spec_.sinks) return;
            // No key, no value: exactly zero.
            attended.value.insert(attended.value.end(), std::size_t(spec_.value_width), Number(0));
            attended.radius.insert(attended.radius.end(), std::size_t(spec_.value_width), 0);
            return;
        }
        const QueryFacts facts = query_facts(row, head, result);
        const QueryBound bound(rounding_, facts);
        truth.in_domain = truth.in_domain && bound.in_domain();
        const WeightBounds weight_bounds = bound.weights();
        truth.log_sum_exp.push_back(
            answer(result.largest + log(result.sum), enlarged(bound.log_sum_exp())));
        double largest = 0;
        for (std::size_t n = 0; n < result.keys.size(); ++n) {
            weights[result.keys[n]] = answer(result.weights[n], weight_bounds.each[n]);
            largest = std::max(largest, std::fabs(facts.score[n]));
        }
        truth.score_size.push_back(largest);
        truth.weight_sum.push_back({1, 0, weight_bounds.sum});
        if (result.sink) {
            const Number rest = Number(1) - *result.sink;
            truth.weight_sum.back() = answer(rest, weight_bounds.sum + weight_bounds.each.back());
        }
        for (Index d = 0; d < spec_.value_width; ++d) {
            const Number& output = result.output[std::size_t(d)];
            const double radius = bound.output(value_facts(row, head, d, result, output));
            truth.in_domain = truth.in_domain && std::isfinite(radius);
            attended.value.push_back(output);
            attended.radius.push_back(radius);
        }
    }

    QueryFacts query_facts(const std::vector<const Read*>& row, Index head,
                           const Attended<Number>& result) const {
        const Ball& query = row.back()->query;
        const Index kv_head = rules_.kv_head(spec_, head);
        QueryFacts facts;
        facts.slots = double(row.back()->node->slot + 1);
        facts.key_width = double(spec_.key_width);
        facts.scale = std::fabs(narrow(scale_));
        facts.softcap = spec_.softcap.value_or(0);
        if (spec_.storage == Storage::int8) facts.value_units = int8_units;
        for (std::size_t n = 0; n < result.keys.size(); ++n) {
            const Ball& key = row[result.keys[n]]->key;
            double product = 0;
            double key_sum = 0;
            double query_sum = 0;
            double radius = 0;
            for (Index d = 0; d < spec_.key_width; ++d) {
                const auto i = std::size_t(head * spec_.key_width + d);
                const auto k = std::size_t(kv_head * spec_.key_width + d);
                const double q_abs = std::fabs(narrow(query.value[i]));
                const double k_abs = std::fabs(narrow(key.value[k]));
                const double q_radius = query.radius[i];
                const double k_radius = key.radius[k];
                product += (q_abs + q_radius) * (k_abs + k_radius);
                key_sum += k_abs + k_radius;
                query_sum += q_abs + q_radius;
                radius += q_abs * k_radius + k_abs * q_radius + q_radius * k_radius;
            }
            facts.query_sum = query_sum;
            facts.product_sum.push_back(product);
            facts.key_sum.push_back(key_sum);
            facts.product_radius.push_back(radius);
            facts.score.push_back(narrow(result.scores[n]));
            facts.weight.push_back(narrow(result.weights[n]));
            if (spec_.slopes) facts.bias.push_back(bias_reach(head, *row.back()->node));
        }
        if (result.sink) add_sink(head, *result.sink, facts);
        return facts;
    }

    double bias_reach(Index head, const Node& query) const {
        return kvcheck::bias_reach(spec_, parameters_, head, rules_.position_id(spec_, query));
    }

    void add_sink(Index head, const Number& weight, QueryFacts& facts) const {
        const double score = parameters_.sinks[std::size_t(head)];
        facts.has_sink = true;
        facts.product_sum.push_back(0);
        facts.key_sum.push_back(0);
        facts.product_radius.push_back(0);
        facts.score.push_back(score);
        facts.weight.push_back(narrow(weight));
        if (facts.bias.empty()) facts.bias.assign(facts.score.size() - 1, 0);
        facts.bias.push_back(std::fabs(score));
    }

    ValueFacts value_facts(const std::vector<const Read*>& row, Index head, Index d,
                           const Attended<Number>& result, const Number& output) const {
        const auto i = std::size_t(rules_.kv_head(spec_, head) * spec_.value_width + d);
        ValueFacts facts;
        facts.output = narrow(output);
        for (const std::size_t key : result.keys) {
            const Ball& value = row[key]->value;
            facts.value.push_back(narrow(value.value[i]));
            facts.deviation.push_back(std::fabs(narrow(Number(value.value[i] - output))));
            facts.radius.push_back(value.radius[i]);
        }
        if (result.sink) {
            facts.value.push_back(0);
            facts.deviation.push_back(std::fabs(facts.output));
            facts.radius.push_back(0);
        }
        return facts;
    }

    Spec spec_;
    const Parameters& parameters_;
    const Rules<Number>& rules_;
    bool stores_rotated_;
    Rounding rounding_;
    Number scale_;
};

}  // namespace kvcheck
