// SPDX-License-Identifier: Apache-2.0
// The two formulations of the oracle, in two number types, give the same answers to what a double
// keeps of them twice over; and both give what can be worked out by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/walk.hpp"
#include "oracles/matrix_form.hpp"
#include "oracles/truth.hpp"
#include "properties/generators/structure.hpp"
#include "properties/generators/values.hpp"
#include "tests/oracles/row_truth.hpp"
#include "tests/share.hpp"

namespace kvcheck {
namespace {

/// hi + lo agree to about the precision of a pair of doubles, relative to the row's largest value.
void expect_same(const Answer& a, const Answer& b, double magnitude) {
    const double ulp = std::numeric_limits<double>::epsilon();
    const double difference = std::fabs((a.hi - b.hi) + (a.lo - b.lo));
    EXPECT_LE(difference, magnitude * ulp * ulp) << a.hi << " against " << b.hi;
}

/// The largest number among a row's answers and the inputs of its real tokens.
double magnitude_of(const std::vector<std::vector<Answer>>& answers,
                    const std::vector<Token>& tokens) {
    double magnitude = 0;
    for (const auto& token : answers) {
        for (const Answer& answer : token) magnitude = std::max(magnitude, std::fabs(answer.hi));
    }
    for (const Token& token : tokens) {
        if (!token.real) continue;
        for (const float x : token.input) magnitude = std::max(magnitude, std::fabs(double(x)));
    }
    return magnitude;
}

TEST(Oracles, AgreeOnGeneratedHistories) {
    constexpr Index whole = 150;
    const Index count = share_of(whole, 2 * family_count);
    Index compared = 0;
    Index evictions = 0;
    Index branches = 0;
    Index shifts = 0;
    for (std::uint64_t n = 0; n < std::uint64_t(count); ++n) {
        Draw draw(SplitMix{n});
        const Level level = n % 2 == 0 ? Level::attention : Level::layer;
        Case test_case = draw_structure(draw, level, FeatureSet::all(), {});
        const Recipe recipe{Family(n % std::uint64_t(family_count)), draw.bits()};
        fill_values(test_case, recipe, true);
        Oracle oracle(test_case.spec, test_case.parameters, {});
        for_each_end(test_case, [&](const CacheState& state, Index r) {
            std::vector<Token> row;
            std::vector<EvictedSlots> hidden;
            std::vector<Index> shifted;
            std::vector<TokenTruth> truth;
            Truths truths(oracle);
            auto history = std::vector<std::shared_ptr<const Node>>();
            for (auto node = state.row(r).last(); node; node = node->before) {
                history.push_back(node);
            }
            std::reverse(history.begin(), history.end());
            for (const auto& node : history) {
                row.push_back(node->token);
                hidden.push_back(node->evicted ? *node->evicted : EvictedSlots());
                evictions += node->evicted ? 1 : 0;
                branches += node->depth != node->slot ? 1 : 0;
                shifted.push_back(node->shifted);
                shifts += node->shifted > 0 ? 1 : 0;
                truth.push_back(truths.of(node));
            }
            const auto matrix = matrix_form(test_case.spec, test_case.parameters, row, hidden,
                                            StoredKeys::raw, shifted);
            const double magnitude = magnitude_of(matrix, row);
            for (std::size_t slot = 0; slot < row.size(); ++slot) {
                const TokenTruth& token = truth[slot];
                if (!token.standing.compared || token.output.empty()) continue;
                if (std::isnan(token.output[0].hi)) continue;
                for (std::size_t i = 0; i < token.output.size(); ++i) {
                    expect_same(token.output[i], matrix[slot][i], magnitude);
                    ++compared;
                }
            }
        });
    }
    constexpr Index compared_of_whole = 10000;
    EXPECT_GT(compared * whole, compared_of_whole * count);
    EXPECT_GT(evictions, 0);
    EXPECT_GT(branches, 0);
    EXPECT_GT(shifts, 0);
}

/// One head of width one; q, k and v of each token.
std::vector<Token> tokens_of(const std::vector<std::vector<float>>& inputs) {
    std::vector<Token> tokens;
    for (const auto& input : inputs) tokens.push_back({true, input});
    return tokens;
}

TEST(Oracles, GiveTheHandWorkedSoftmax) {
    // Two keys with scores 0 and log 3 (as nearly as a float says it): weights 1/4 and 3/4.
    Spec spec;
    spec.capacity = 2;
    const float log_3 = std::log(3.0F);
    const std::vector<Token> row = tokens_of({{1, 0, 8}, {1, log_3, 16}});
    Oracle oracle(spec, {}, {});
    const double exact = std::exp(double(log_3));
    const double weight = exact / (1 + exact);
    const TokenTruth token = row_truth(oracle, row)[1];
    EXPECT_DOUBLE_EQ(token.weights[0][1].hi, weight);
    EXPECT_DOUBLE_EQ(token.output[0].hi, 8 * (1 - weight) + 16 * weight);
    EXPECT_DOUBLE_EQ(matrix_form(spec, {}, row)[1][0].hi, 8 * (1 - weight) + 16 * weight);
}

TEST(Oracles, ExactAnswersHaveNoErrorOfTheirOwn) {
    // Equal scores: the mean of 1, 4 and 8 is not a binary number, that of 1 and 4 is.
    Spec spec;
    spec.capacity = 3;
    Oracle oracle(spec, {}, {});
    const auto truth = row_truth(oracle, tokens_of({{0, 1, 1}, {0, 2, 4}, {0, 3, 8}}));
    EXPECT_EQ(truth[0].output[0].hi, 1);
    EXPECT_EQ(truth[1].output[0].hi, 2.5);
    EXPECT_EQ(truth[1].output[0].lo, 0);
    EXPECT_EQ(answer_text(truth[2].output[0]), "4.3333333333333333333");
}

}  // namespace
}  // namespace kvcheck
