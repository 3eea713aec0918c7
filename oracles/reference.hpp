// SPDX-License-Identifier: Apache-2.0
// The reference: model/attention.hpp and model/layer.hpp run in a wide number type, and the error
// bound beside each value. A template over the number type, so that a test can ask for more digits;
// everyone else uses Oracle (truth.hpp), which instantiates it once. Include in .cpp files only.
#pragma once

#include <cmath>
#include <limits>

#include "model/attention.hpp"
#include "model/layer.hpp"
#include "model/types/assert.hpp"
#include "oracles/error_bound.hpp"
#include "oracles/truth.hpp"

namespace kvcheck {

template <class Number>
class Reference {
public:
    Reference(const Spec& spec, const Parameters& parameters, const NumericProfile& profile)
        : spec_(spec), parameters_(parameters), rounding_(profile), scale_(exact_scale(spec)) {}

    RowTruth row(const RowTokens& tokens, const StoredRow* stored) {
        RowTruth truth;
        RowState state(spec_.position_ids);
        for (const Token& token : tokens) state.append(token.real);
        Row row;
        for (std::size_t slot = 0; slot < tokens.size(); ++slot) {
            read_token(tokens[slot], state.position_id(Index(slot)), row);
            truth.key.push_back(answers(row.key[slot]));
            truth.value.push_back(answers(row.value[slot]));
        }
        if (stored != nullptr) {
            adopt(stored->key, truth.key, row.key);
            adopt(stored->value, truth.value, row.value);
        }
        collect(row);
        for (std::size_t slot = 0; slot < tokens.size(); ++slot) {
            truth.tokens.push_back(answer_token(row, state, tokens[slot], Index(slot)));
        }
        return truth;
    }

private:
    /// A vector and how far a correct program's own may be from it.
    struct Ball {
        std::vector<Number> value;
        std::vector<double> radius;
    };

    struct Row {
        std::vector<Ball> query, key, value;  // [slots]; key and value empty where padding
        HeadInputs<Number> inputs;            // the values again, as the model wants them
        std::vector<bool> in_domain;          // [slots] of a token's own projections
    };

    static Number exact_scale(const Spec& spec) {
        using std::sqrt;
        if (spec.scale) return Number(*spec.scale);
        return Number(1) / sqrt(Number(spec.key_width));
    }

    /// What partial sums may exceed the exact magnitude by before they overflow.
    static constexpr double overflow_reserve = 1.01;

    static double narrow(const Number& value) { return static_cast<double>(value); }

    static Answer answer(const Number& value, double bound) {
        const double hi = narrow(value);
        return {hi, narrow(Number(value - Number(hi))), bound};
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

    void read_token(const Token& token, Index id, Row& row) {
        // An invisible token's contents are not part of the answer and need not be finite.
        const bool wants_query = token.real || spec_.padded_query == PaddedQuery::computed;
        if (spec_.level == Level::attention) {
            row.in_domain.push_back(true);
            const Index query = spec_.query_size();
            const Index key = spec_.key_size();
            row.query.push_back(wants_query ? exact(token.input, 0, query) : Ball{});
            row.key.push_back(token.real ? exact(token.input, query, key) : Ball{});
            row.value.push_back(token.real ? exact(token.input, query + key, spec_.value_size())
                                           : Ball{});
            return;
        }
        if (!wants_query) {
            row.query.emplace_back();
            row.key.emplace_back();
            row.value.emplace_back();
            row.in_domain.push_back(true);
            return;
        }
        bool in_domain = true;
        const Ball x = with_position(exact(token.input, 0, spec_.model_width), id, in_domain);
        row.query.push_back(projected(parameters_.query, x, in_domain));
        row.key.push_back(token.real ? projected(parameters_.key, x, in_domain) : Ball{});
        row.value.push_back(token.real ? projected(parameters_.value, x, in_domain) : Ball{});
        row.in_domain.push_back(in_domain);
    }

    /// x + table[id]: one addition, and the table's own error where the subject makes it.
    Ball with_position(Ball x, Index id, bool& in_domain) {
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

    /// W in + b; `in_domain` becomes false where a correct program may overflow.
    Ball projected(const Projection& projection, const Ball& in, bool& in_domain) {
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

    /// Takes a subject's stored values as exact where all of a slot's lie within their bounds.
    static void adopt(const std::vector<std::vector<double>>& stored,
                      const std::vector<std::vector<Answer>>& truth, std::vector<Ball>& balls) {
        KVCHECK_ASSERT(stored.size() == balls.size());
        for (std::size_t slot = 0; slot < balls.size(); ++slot) {
            bool within = true;
            for (std::size_t i = 0; i < truth[slot].size(); ++i) {
                within = within && deviation_of(stored[slot][i], truth[slot][i], 53).within();
            }
            if (!within) continue;
            for (std::size_t i = 0; i < truth[slot].size(); ++i) {
                balls[slot].value[i] = Number(stored[slot][i]);
                balls[slot].radius[i] = 0;
            }
        }
    }

    static void collect(Row& row) {
        for (const Ball& ball : row.query) row.inputs.query.push_back(ball.value);
        for (const Ball& ball : row.key) row.inputs.key.push_back(ball.value);
        for (const Ball& ball : row.value) row.inputs.value.push_back(ball.value);
    }

    TokenTruth answer_token(const Row& row, const RowState& state, const Token& token, Index slot) {
        TokenTruth truth;
        truth.compared = token.real || spec_.padded_query == PaddedQuery::computed;
        if (!truth.compared) return truth;
        for (Index key = 0; key <= slot; ++key) {
            if (key != slot && !state.sees(slot, key)) continue;
            truth.in_domain = truth.in_domain && row.in_domain[std::size_t(key)];
        }
        Ball attended;
        for (Index head = 0; head < spec_.query_heads; ++head) {
            answer_head(row, state, slot, head, truth, attended);
        }
        if (truth.dead) answer_dead(truth, attended);
        if (!truth.output.empty()) return truth;  // NaN through and through
        truth.output = spec_.level == Level::layer
                           ? answers(projected(parameters_.output, attended, truth.in_domain))
                           : answers(attended);
        return truth;
    }

    static std::vector<Answer> nan_answers(Index size) {
        return std::vector<Answer>(std::size_t(size),
                                   {std::numeric_limits<double>::quiet_NaN(), 0, 0});
    }

    void answer_dead(TokenTruth& truth, Ball& attended) const {
        const auto size = std::size_t(spec_.attended_size());
        attended = {std::vector<Number>(size, Number(0)), std::vector<double>(size, 0)};
        if (spec_.dead_row == DeadRow::unspecified) truth.compared = false;
        if (spec_.dead_row == DeadRow::nan) truth.output = nan_answers(spec_.output_size());
    }

    void answer_head(const Row& row, const RowState& state, Index slot, Index head,
                     TokenTruth& truth, Ball& attended) {
        const Attended<Number> result = attend(spec_, state, row.inputs, slot, head, scale_);
        std::vector<Answer>& weights = truth.weights.emplace_back(std::size_t(slot + 1));
        truth.dead = result.keys.empty();
        if (truth.dead) {
            truth.weight_sum.push_back({0, 0, 0});
            return;
        }
        const QueryBound bound(rounding_, query_facts(row, slot, head, result));
        truth.in_domain = truth.in_domain && bound.in_domain();
        for (std::size_t n = 0; n < result.keys.size(); ++n) {
            weights[std::size_t(result.keys[n])] = answer(result.weights[n], bound.weight(n));
        }
        truth.weight_sum.push_back({1, 0, bound.weight_sum()});
        for (Index d = 0; d < spec_.value_width; ++d) {
            const Number& output = result.output[std::size_t(d)];
            const double radius = bound.output(value_facts(row, head, d, result, output));
            truth.in_domain = truth.in_domain && std::isfinite(radius);
            attended.value.push_back(output);
            attended.radius.push_back(radius);
        }
    }

    QueryFacts query_facts(const Row& row, Index slot, Index head,
                           const Attended<Number>& result) const {
        const Ball& query = row.query[std::size_t(slot)];
        const Index kv_head = kv_head_of(head, spec_.query_heads, spec_.kv_heads);
        QueryFacts facts;
        facts.slots = double(slot + 1);
        facts.key_width = double(spec_.key_width);
        facts.scale = std::fabs(narrow(scale_));
        for (std::size_t n = 0; n < result.keys.size(); ++n) {
            const Ball& key = row.key[std::size_t(result.keys[n])];
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
        }
        return facts;
    }

    ValueFacts value_facts(const Row& row, Index head, Index d, const Attended<Number>& result,
                           const Number& output) const {
        const Index kv_head = kv_head_of(head, spec_.query_heads, spec_.kv_heads);
        const auto i = std::size_t(kv_head * spec_.value_width + d);
        ValueFacts facts;
        facts.output = narrow(output);
        for (const Index slot : result.keys) {
            const Ball& value = row.value[std::size_t(slot)];
            facts.value.push_back(narrow(value.value[i]));
            facts.deviation.push_back(std::fabs(narrow(Number(value.value[i] - output))));
            facts.radius.push_back(value.radius[i]);
        }
        return facts;
    }

    Spec spec_;
    const Parameters& parameters_;
    Rounding rounding_;
    Number scale_;
};

}  // namespace kvcheck
