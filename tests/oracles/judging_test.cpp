// SPDX-License-Identifier: Apache-2.0
// Which evaluation judges what: a certificate where it settles what was seen, fifty digits in every
// other case, and nothing else for double arithmetic.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/oracles/row_truth.hpp"

namespace kvcheck {
namespace {

/// One head; a token is q, k and v.
Spec spec_of(Index key_width) {
    Spec spec;
    spec.key_width = key_width;
    spec.capacity = 8;
    return spec;
}

/// Judges the output of a row's last token as `seen`.
const TokenTruth& judged(Truths& truths, const History& row, double seen) {
    return truths.judging(row.last(), Truths::Part::output, 1,
                          [&](const TokenTruth& truth) { return settles(truth.output[0], seen); });
}

class Judging : public testing::Test {
protected:
    const History row = history_of({{true, {1, 0, 1}}, {true, {1, 1, 2}}});
    const double right = (1 + 2 * std::exp(1.0)) / (1 + std::exp(1.0));
};

TEST_F(Judging, WhatIsRightIsCertified) {
    Oracle oracle(spec_of(1), {}, {}, Evaluation::certified);
    Truths truths(oracle);
    const TokenTruth& truth = judged(truths, row, float(right));
    EXPECT_TRUE(truth.certified);
    EXPECT_GT(truth.output[0].doubt, 0);
    EXPECT_EQ(&judged(truths, row, float(right)), &truth) << "it is remembered";
    EXPECT_EQ(oracle.counts().certified, 2);
    EXPECT_EQ(oracle.counts().escalated + oracle.counts().exact, 0);
}

TEST_F(Judging, WhatIsWrongIsJudgedByFiftyDigits) {
    Oracle oracle(spec_of(1), {}, {}, Evaluation::certified);
    Truths truths(oracle);
    for (const double wrong : {1.0, double(std::numeric_limits<float>::infinity()),
                               std::numeric_limits<double>::quiet_NaN()}) {
        const TokenTruth& truth = judged(truths, row, wrong);
        EXPECT_FALSE(truth.certified);
        EXPECT_EQ(truth.output[0].doubt, 0);
        EXPECT_EQ(&truth, &truths.of(row.last()));
    }
    EXPECT_EQ(oracle.counts().certified, 0);
    EXPECT_EQ(oracle.counts().escalated, 3);
}

TEST_F(Judging, WhatIsAsCloseToTheBoundAsTheDoubtIsJudgedByFiftyDigits) {
    Oracle oracle(spec_of(1), {}, {}, Evaluation::certified);
    Truths truths(oracle);
    const Answer answer = truths.of(row.last()).output[0];
    const double just_within = answer.hi + answer.bound * (1 - std::ldexp(1.0, -40));
    EXPECT_TRUE(deviation_of(just_within, answer, 24).within());
    EXPECT_FALSE(judged(truths, row, just_within).certified);
}

TEST_F(Judging, ExactAsksForFiftyDigitsAlways) {
    Oracle oracle(spec_of(1), {}, {}, Evaluation::exact);
    Truths truths(oracle);
    EXPECT_FALSE(judged(truths, row, float(right)).certified);
    EXPECT_EQ(oracle.counts().exact, 1);
}

TEST_F(Judging, DoubleArithmeticMeetsNothingElse) {
    Oracle oracle(spec_of(1), {}, profile_of_digits(53), Evaluation::certified);
    EXPECT_EQ(oracle.evaluation(), Evaluation::exact);
    Truths truths(oracle);
    EXPECT_FALSE(judged(truths, row, right).certified);
}

TEST_F(Judging, CrossCheckedIsBoth) {
    Oracle oracle(spec_of(1), {}, {}, Evaluation::cross_checked);
    Truths truths(oracle);
    EXPECT_TRUE(judged(truths, row, float(right)).certified);
    EXPECT_EQ(oracle.counts().cross_checked, 1);
}

TEST_F(Judging, EqualValuesLeaveNothingButTheRoundingOfTheSums) {
    // A certificate that forgets it does not hold, which a cross-checked oracle asserts.
    History equal;
    for (int n = 0; n < 7; ++n) {
        equal = equal.with({true, {1, float(n) / 8, 0.1F}});
        Oracle oracle(spec_of(1), {}, {}, Evaluation::cross_checked);
        Truths truths(oracle);
        EXPECT_TRUE(judged(truths, equal, 0.1F).certified);
    }
}

TEST_F(Judging, NumbersThatAreNotFiniteHaveNoCertificate) {
    const float inf = std::numeric_limits<float>::infinity();
    for (const Token& last :
         {Token{true, {1, inf, 2}}, Token{true, {NAN, 1, 2}}, Token{true, {1, 1, -inf}}}) {
        Oracle oracle(spec_of(1), {}, {}, Evaluation::certified);
        Truths truths(oracle);
        const History hostile = history_of({{true, {1, 0, 1}}, last});
        EXPECT_FALSE(judged(truths, hostile, 1).certified);
    }
}

TEST_F(Judging, ScoresThatDoubleDoesNotTellApartAreEscalated) {
    // The scores are 0 and 1, sums of two products of 2^70.
    const float huge = std::ldexp(1.0F, 70);
    const History cancelling =
        history_of({{true, {1, 1, huge, -huge, 1}}, {true, {1, 1, 0, 1, 2}}});
    Oracle oracle(spec_of(2), {}, {}, Evaluation::certified);
    Truths truths(oracle);
    EXPECT_FALSE(judged(truths, cancelling, 1.5).certified);
    EXPECT_EQ(oracle.counts().escalated, 1);
}

TEST_F(Judging, VastScoresThatDoubleTellsApartAreCertified) {
    NumericProfile subtracts_first;
    subtracts_first.shift_roundings = 0;
    const float huge = std::ldexp(1.0F, 70);
    const History vast = history_of({{true, {huge, 1, 1}}, {true, {huge, 2, 2}}});
    Oracle oracle(spec_of(1), {}, subtracts_first, Evaluation::certified);
    Truths truths(oracle);
    EXPECT_TRUE(judged(truths, vast, 2).certified);
}

}  // namespace
}  // namespace kvcheck
