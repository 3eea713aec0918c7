// SPDX-License-Identifier: Apache-2.0
// Which histories share a truth: those whose contents are equal as far as anybody sees them, and no
// others.
#include "oracles/truth.hpp"

#include <gtest/gtest.h>
#include <pthread.h>

#include <cmath>

#include "tests/oracles/row_truth.hpp"

namespace kvcheck {
namespace {

/// One head of width one: a token is q, k and v.
Spec attention_spec(PaddedQuery padded_query = PaddedQuery::unspecified) {
    Spec spec;
    spec.capacity = 8;
    spec.padded_query = padded_query;
    return spec;
}

Token real(float q, float k, float v) { return {true, {q, k, v}}; }
Token padding(float q, float k, float v) { return {false, {q, k, v}}; }

/// The address of what is right for the last token of a row, which tells whether two share it.
const TokenTruth* truth_of(Oracle& oracle, const std::vector<Token>& row) {
    return &Truths(oracle).of(history_of(row).last());
}

TEST(Truth, EqualContentsShareOneWhoeverAsks) {
    Oracle oracle(attention_spec(), {}, {});
    const std::vector<Token> row = {real(1, 2, 3), real(4, 5, 6)};
    const TokenTruth* const first = truth_of(oracle, row);
    EXPECT_EQ(truth_of(oracle, row), first);
    Truths truths(oracle);
    const History one = history_of(row);
    const History other = history_of(row);
    EXPECT_EQ(&truths.of(one.last()), first);
    EXPECT_EQ(&truths.of(other.last()), first);
}

TEST(Truth, OtherContentsOrAnotherPastShareNone) {
    Oracle oracle(attention_spec(), {}, {});
    const TokenTruth* const truth = truth_of(oracle, {real(1, 2, 3), real(4, 5, 6)});
    EXPECT_NE(truth_of(oracle, {real(1, 2, 3), real(4, 5, 7)}), truth);
    EXPECT_NE(truth_of(oracle, {real(1, 2, 7), real(4, 5, 6)}), truth);
    EXPECT_NE(truth_of(oracle, {real(4, 5, 6)}), truth);
    EXPECT_NE(truth_of(oracle, {real(1, 2, 3), padding(4, 5, 6)}), truth);
    EXPECT_NE(truth_of(oracle, {padding(1, 2, 3), real(4, 5, 6)}), truth);
    EXPECT_NE(truth_of(oracle, {real(0.0F, 2, 3)}), truth_of(oracle, {real(-0.0F, 2, 3)}))
        << "contents are compared by bits";
}

TEST(Truth, PrefixesAreSharedByRowsThatPartLater) {
    Oracle oracle(attention_spec(), {}, {});
    const History past = history_of({real(1, 2, 3)});
    Truths truths(oracle);
    const TokenTruth* const of_past = &truths.of(past.last());
    const History longer = past.with(real(4, 5, 6));
    truths.of(longer.last());
    EXPECT_EQ(&truths.of(longer.last()->before), of_past);
}

TEST(Truth, EqualTokensWithOtherEvictionsEachHaveTheirOwn) {
    const History past = history_of({real(0, 1, 8), real(0, 1, 2)});
    const History thinned = past.without(0, 1);
    for (const Evaluation evaluation : {Evaluation::exact, Evaluation::cross_checked}) {
        for (const bool thinned_first : {false, true}) {
            Oracle oracle(attention_spec(), {}, {}, evaluation);
            Truths truths(oracle);
            const auto output = [&](const History& row) {
                const History longer = row.with(real(0, 1, 2));
                const auto settles = [](const TokenTruth&) { return true; };
                return truths.judging(longer.last(), Truths::Part::output, 1, settles).output[0].hi;
            };
            if (thinned_first) {
                EXPECT_DOUBLE_EQ(output(thinned), 2);
            }
            EXPECT_DOUBLE_EQ(output(past), 4);
            EXPECT_DOUBLE_EQ(output(thinned), 2);
        }
    }
}

TEST(Truth, PaddingContentsThatNobodySeesShareOne) {
    Oracle oracle(attention_spec(), {}, {});
    const TokenTruth* const truth = truth_of(oracle, {padding(1, 2, 3), real(4, 5, 6)});
    EXPECT_EQ(truth_of(oracle, {padding(7, 8, 9), real(4, 5, 6)}), truth);
    EXPECT_EQ(truth_of(oracle, {padding(NAN, INFINITY, 9), real(4, 5, 6)}), truth);
    EXPECT_EQ(truth->output[0].hi, 6);
}

TEST(Truth, APaddedQueryOwnContentsShareNoneAndLaterTokensStillDo) {
    Oracle oracle(attention_spec(PaddedQuery::computed), {}, {});
    const std::vector<Token> past = {real(0, 0, 0), real(0, 1, 1)};
    const auto after = [&](std::vector<Token> more) {
        more.insert(more.begin(), past.begin(), past.end());
        return truth_of(oracle, more);
    };
    const TokenTruth* const even = after({padding(0, 9, 9)});
    const TokenTruth* const uneven = after({padding(1, 9, 9)});
    EXPECT_NE(even, uneven);
    EXPECT_EQ(even->output[0].hi, 0.5) << "both weights are equal";
    EXPECT_NEAR(uneven->output[0].hi, std::exp(1.0) / (1 + std::exp(1.0)), 1e-12);
    EXPECT_EQ(after({padding(1, 9, 9)}), uneven);
    EXPECT_EQ(after({padding(0, 9, 9), real(1, 1, 1)}), after({padding(1, 7, 7), real(1, 1, 1)}));
}

TEST(Truth, TheFirstToAskDoesNotDecideForAnotherPaddedQuery) {
    // The branch of a padded token is shared; its first owner's query must not answer for others.
    for (const float first : {0.0F, 1.0F}) {
        Oracle oracle(attention_spec(PaddedQuery::computed), {}, {});
        const std::vector<Token> past = {real(0, 0, 0), real(0, 1, 1)};
        const auto output = [&](float query) {
            return truth_of(oracle, {past[0], past[1], padding(query, 9, 9)})->output[0].hi;
        };
        output(first);
        EXPECT_EQ(output(0), 0.5);
        EXPECT_GT(output(1), 0.7);
    }
}

TEST(Truth, StandingCostsNoArithmeticAndReadsNoNumber) {
    Oracle oracle(attention_spec(), {}, {});
    const Truths truths(oracle);
    const auto standing = [&](const std::vector<Token>& row) {
        return truths.standing(history_of(row).last());
    };
    EXPECT_TRUE(standing({real(NAN, NAN, NAN)}).compared);
    EXPECT_FALSE(standing({padding(1, 1, 1)}).compared);
    EXPECT_TRUE(standing({padding(1, 1, 1)}).dead);
    EXPECT_FALSE(standing({real(1, 1, 1), padding(1, 1, 1)}).dead);
}

/// A layer of width one whose key and value projections round.
struct RoundingLayer {
    RoundingLayer() {
        spec.level = Level::layer;
        spec.model_width = 2;
        spec.capacity = 4;
        parameters = zero_parameters(spec, 0);
        parameters.key.weight = parameters.value.weight = {0.1F, 0.7F};
        parameters.query.weight = {1, 0};
        parameters.output.weight = {1, 0};
    }
    Spec spec;
    Parameters parameters;
};

TEST(Truth, StoredValuesWithinTheirBoundsAreAdoptedAndShareByTheirContents) {
    const RoundingLayer layer;
    Oracle oracle(layer.spec, layer.parameters, {});
    const History row = history_of({{true, {0.3F, 1.1F}}});
    Truths apart(oracle);
    const double key = apart.stored(row.last()).key[0].hi;
    const auto with = [&](double stored) {
        const StoredRow own{row, {{stored}}, {{stored}}};
        Truths truths(oracle);
        truths.adopt(own);
        return &truths.of(row.last());
    };
    const TokenTruth* const unstaged = &apart.of(row.last());
    const TokenTruth* const staged = with(float(key));
    EXPECT_NE(staged, unstaged);
    EXPECT_LT(staged->output[0].bound, unstaged->output[0].bound);
    EXPECT_EQ(staged->output[0].hi, float(key)) << "its own value is what is attended";
    EXPECT_EQ(with(float(key)), staged);
    EXPECT_EQ(with(key + 1)->output[0].hi, unstaged->output[0].hi) << "out of its bound";
}

TEST(Truth, AtAttentionLevelNothingIsAdopted) {
    Oracle oracle(attention_spec(), {}, {});
    const History row = history_of({real(1, 2, 3)});
    const StoredRow own{row, {{2}}, {{3}}};
    Truths truths(oracle);
    truths.adopt(own);
    EXPECT_EQ(&truths.of(row.last()), truth_of(oracle, {real(1, 2, 3)}));
}

/// Asks for what is stored of a long row and forgets it all.
void* use_a_long_row(void*) {
    constexpr int length = 20000;
    History row;
    for (int n = 0; n < length; ++n) row = row.with({false, {0, 0, 0}});
    Oracle oracle(attention_spec(), {}, {});
    Truths(oracle).stored(row.last());
    return nullptr;
}

TEST(Truth, ALongRowIsForgottenOnASmallStack) {
    // One frame a token would be ten times this.
    constexpr std::size_t stack_bytes = 256 << 10;
    pthread_attr_t attributes;
    pthread_t thread{};
    ASSERT_EQ(pthread_attr_init(&attributes), 0);
    ASSERT_EQ(pthread_attr_setstacksize(&attributes, stack_bytes), 0);
    ASSERT_EQ(pthread_create(&thread, &attributes, use_a_long_row, nullptr), 0);
    EXPECT_EQ(pthread_join(thread, nullptr), 0);
    pthread_attr_destroy(&attributes);
}

}  // namespace
}  // namespace kvcheck
