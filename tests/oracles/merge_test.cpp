// SPDX-License-Identifier: Apache-2.0
// Log-sum-exps and merges: the worked example of clause 17, and that the bound of a merge holds for
// what parts may show at worst, and is nearly reached.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "oracles/merge.hpp"
#include "tests/oracles/row_truth.hpp"

namespace kvcheck {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The part of the example that holds the slots of which `held` says so, as slot 2 sees it.
TokenTruth example(const std::vector<bool>& held) {
    Spec spec;
    spec.capacity = 3;
    spec.padded_query = PaddedQuery::computed;
    const std::vector<float> values = {3, 6, 9};
    std::vector<Token> row;
    for (std::size_t slot = 0; slot < values.size(); ++slot)
        row.push_back({held[slot], {0, 0, values[slot]}});
    Oracle oracle(spec, {}, {});
    return row_truth(oracle, row).back();
}

KeyPart exactly(const TokenTruth& truth) {
    return {truth.log_sum_exp[0].hi, truth.log_sum_exp[0], {truth.output[0].hi}, truth.output};
}

TEST(Merge, OfTheExampleOfTheContractIsTheMeanOfAll) {
    const TokenTruth whole = example({true, true, true});
    KeyPart first = exactly(example({true, true, false}));
    KeyPart second = exactly(example({false, false, true}));
    EXPECT_DOUBLE_EQ(whole.log_sum_exp[0].hi, std::log(3));
    EXPECT_DOUBLE_EQ(first.log_sum_exp, std::log(2));
    EXPECT_EQ(second.log_sum_exp, 0);
    EXPECT_DOUBLE_EQ(first.output[0], 4.5);
    EXPECT_DOUBLE_EQ(merged({first, second})[0], 6);
    EXPECT_DOUBLE_EQ(merged({second, first})[0], 6);
    EXPECT_TRUE(deviation_of(6, bounded_by({first, second}, whole.output)[0], 24).within());
    // Base 2.
    first.log_sum_exp *= std::numbers::log2e;
    const double wrong = merged({first, second})[0];
    EXPECT_NEAR(wrong, 5.7102, 0.00005);
    EXPECT_FALSE(deviation_of(wrong, bounded_by({first, second}, whole.output)[0], 24).within());
}

TEST(LogSumExp, IsAsUncertainAsAScoreThatCancels) {
    // q = (2^20, 2^20) and k = (2^20, -2^20): a sum of two products of 2^40 that is zero.
    constexpr float huge = 1048576;
    Spec spec;
    spec.key_width = 2;
    spec.scale = 1;
    spec.capacity = 1;
    Oracle oracle(spec, {}, {});
    const Answer answer =
        row_truth(oracle, {{true, {huge, huge, huge, -huge, 1}}})[0].log_sum_exp[0];
    EXPECT_EQ(answer.hi, 0);
    const double rounding = std::ldexp(1.0, 40 - 24);  // of one product
    EXPECT_GE(answer.bound, rounding);
}

TEST(Merge, OverNoKeysHasALogSumExpOfMinusInfinity) {
    const TokenTruth dead = example({false, false, false});
    EXPECT_TRUE(dead.standing.dead);
    for (const Answer& answer : dead.log_sum_exp) EXPECT_EQ(answer.hi, -infinity);
}

TEST(Merge, OfWhatIsNoNumberIsNone) {
    const KeyPart right = exactly(example({true, true, false}));
    for (const double wrong : {infinity, -infinity, std::nan("")}) {
        KeyPart of_weight = right;
        of_weight.log_sum_exp = wrong;
        EXPECT_TRUE(std::isnan(merged({of_weight, right})[0])) << wrong;
        KeyPart of_output = right;
        of_output.output = {wrong};
        EXPECT_TRUE(std::isnan(merged({of_output, right})[0])) << wrong;
    }
}

TEST(Merge, BoundHoldsForTheWorstThatPartsMayShowAndIsNearlyReached) {
    double nearest = 0;
    for (const double bound : {1e-7, 1e-3, 0.25}) {
        for (const double apart : {0.0, 1.0, 100.0}) {
            // Two parts of equal weight, whose outputs lie `apart` from their mean of 1.
            const Answer equal = {0, 0, bound};
            KeyPart low = {-bound, equal, {1 - apart - bound}, {{1 - apart, 0, bound}}};
            KeyPart high = {bound, equal, {1 + apart + bound}, {{1 + apart, 0, bound}}};
            for (const double sign : {1.0, -1.0}) {
                low.log_sum_exp = -sign * bound;
                high.log_sum_exp = sign * bound;
                low.output[0] = 1 - apart + sign * bound;
                high.output[0] = 1 + apart + sign * bound;
                const Answer right = bounded_by({low, high}, {{1, 0, bound}})[0];
                const Deviation off = deviation_of(merged({low, high})[0], right, 24);
                EXPECT_LE(off.ratio, 1) << bound << " " << apart;
                nearest = std::max(nearest, off.ratio);
            }
        }
    }
    EXPECT_GT(nearest, 0.9);
}

TEST(Merge, OfPartsOfWhichNothingIsKnownIsWithinAnyBound) {
    KeyPart part = exactly(example({true, true, false}));
    part.right.bound = 1e5;
    EXPECT_EQ(bounded_by({part, part}, part.right_output)[0].bound, infinity);
    // One of no weight, too.
    KeyPart faint = exactly(example({true, true, false}));
    faint.right.hi = faint.log_sum_exp = -1e4;
    faint.right_output[0].bound = infinity;
    EXPECT_EQ(
        bounded_by({faint, exactly(example({true, true, false}))}, part.right_output)[0].bound,
        infinity);
}

}  // namespace
}  // namespace kvcheck
