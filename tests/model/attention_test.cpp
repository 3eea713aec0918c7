// SPDX-License-Identifier: Apache-2.0
// Attention on cases that can be worked by hand: in double where the numbers come out exactly, in
// fractions elsewhere. What a layer adds is in layer_test.cpp.
#include "model/attention.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/model/documents.hpp"
#include "tests/model/one_query.hpp"

namespace kvcheck {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// The values of the example of clause 4.
const std::vector<std::vector<int>> contract_values = {{1, 2, 3, 4, 5, 6, 7, 8},
                                                       {3, 4, 5, 6, 7, 8, 9, 10},
                                                       {8, 9, 10, 11, 12, 13, 14, 15},
                                                       {0, 1, 2, 3, 4, 5, 6, 7}};

TEST(Attention, EqualScoresGiveTheMeansOfTheContract) {
    Spec spec;
    spec.key_width = spec.value_width = 8;
    HeadInputs<Fraction> in;
    for (const auto& value : contract_values) {
        in.query.push_back(fractions(std::vector<int>(8, 0)));
        in.key.push_back(fractions(std::vector<int>(8, 1)));
        in.value.push_back(fractions(value));
    }
    const std::string page = document("contract.md");
    const auto padded = [](const std::vector<int>& numbers) {
        std::string text;
        for (const int number : numbers) text += fmt::format("{:>3}", number);
        return text;
    };
    for (Index slot = 0; slot < 4; ++slot) {
        const auto got = attend(spec, "RRRR", in, slot, 0, Fraction(1));
        std::vector<int> mean;
        for (std::size_t d = 0; d < 8; ++d) {
            int sum = 0;
            for (Index key = 0; key <= slot; ++key) sum += contract_values[std::size_t(key)][d];
            mean.push_back(sum / int(slot + 1));
        }
        EXPECT_EQ(got.output, fractions(mean)) << slot;
        EXPECT_EQ(got.weights, std::vector<Fraction>(std::size_t(slot + 1), Fraction(1, slot + 1)));
        EXPECT_THAT(
            page, HasSubstr(fmt::format("    {:<6}{}    {} ", slot,
                                        padded(contract_values[std::size_t(slot)]), padded(mean))));
    }
}

TEST(Attention, EqualScoresGiveTheMeanInDouble) {
    Spec spec;
    const HeadInputs<double> in = {
        {{0}, {0}, {0}, {0}}, {{3}, {-1}, {7}, {1e300}}, {{1}, {3}, {5}, {7}}};
    const std::string row = "RRRR";
    EXPECT_THAT(attend(spec, row, in, 1, 0, 1.0).output, ElementsAre(2));
    const auto last = attend(spec, row, in, 3, 0, 1.0);
    EXPECT_THAT(last.scores, ElementsAre(0, 0, 0, 0));
    EXPECT_THAT(last.weights, ElementsAre(0.25, 0.25, 0.25, 0.25));
    EXPECT_THAT(last.output, ElementsAre(4));
}

Index kv_head(Index query_head, Index query_heads, Index kv_heads) {
    Spec spec;
    spec.query_heads = query_heads;
    spec.kv_heads = kv_heads;
    return Rules<double>().kv_head(spec, query_head);
}

TEST(Attention, QueryHeadsShareKeyHeadsInGroups) {
    std::string heads;
    std::string reads;
    for (Index head = 0; head < 6; ++head) {
        heads += fmt::format("  {}", head);
        reads += fmt::format("  {}", kv_head(head, 6, 2));
    }
    EXPECT_THAT(document("contract.md"),
                HasSubstr("    query head " + heads + "\n    reads head " + reads + "\n"));
    EXPECT_EQ(kv_head(3, 4, 4), 3);
    EXPECT_EQ(kv_head(3, 4, 1), 0);
}

TEST(Attention, AHeadReadsItsOwnPartOfEveryVector) {
    Spec spec;
    spec.query_heads = 4;
    spec.kv_heads = 2;
    spec.key_width = 2;
    spec.value_width = 3;
    // Products of the four query heads with the key heads 0 and 1 are powers of ten apart.
    HeadInputs<Fraction> in;
    in.query = {fractions({1, 2, 3, 4, 5, 6, 7, 8})};
    in.key = {fractions({1, 10, 100, 1000})};
    in.value = {fractions({1, 2, 3, 4, 5, 6})};
    const std::string row = "R";
    const std::vector<int> scores = {21, 43, 6500, 8700};
    for (Index head = 0; head < 4; ++head) {
        const auto got = attend(spec, row, in, 0, head, Fraction(1));
        EXPECT_EQ(got.scores, fractions({scores[std::size_t(head)]})) << head;
        EXPECT_EQ(got.output,
                  fractions(head < 2 ? std::vector<int>{1, 2, 3} : std::vector<int>{4, 5, 6}));
    }
}

TEST(Attention, WeightsAreTheSoftmaxOfScaledScores) {
    Spec spec;
    HeadInputs<Fraction> in;
    in.query = {fractions({0}), fractions({0}), fractions({3})};
    in.key = {fractions({2}), fractions({4}), fractions({0})};
    in.value = {fractions({7}), fractions({14}), fractions({28})};
    // Scores 6, 12 and 0, halved by the scale: powers of two in the proportion 1/8 : 1 : 1/64.
    const auto got = attend(spec, std::string("RRR"), in, 2, 0, Fraction(1, 2));
    EXPECT_EQ(got.scores, fractions({3, 6, 0}));
    EXPECT_EQ(got.weights, (std::vector<Fraction>{{8, 73}, {64, 73}, {1, 73}}));
    EXPECT_EQ(got.output, (std::vector<Fraction>{{7 * 8 + 14 * 64 + 28, 73}}));
}

TEST(Attention, HugeScoresDoNotOverflow) {
    Spec spec;
    const HeadInputs<double> in = {{{1e200}, {1e200}}, {{1}, {-1}}, {{5}, {9}}};
    const auto got = attend(spec, std::string("RR"), in, 1, 0, 1.0);
    EXPECT_THAT(got.weights, ElementsAre(1, 0));
    EXPECT_THAT(got.output, ElementsAre(5));
}

TEST(Attention, PaddingIsNotEvenRead) {
    Spec spec;
    const HeadInputs<double> in = {{{1}, {1}, {1}}, {{2}, {NAN}, {2}}, {{10}, {NAN}, {30}}};
    const auto got = attend(spec, std::string("RPR"), in, 2, 0, 1.0);
    EXPECT_THAT(got.keys, ElementsAre(0, 2));
    EXPECT_THAT(got.output, ElementsAre(20));
    EXPECT_THAT(attend(spec, std::string("RPR"), in, 1, 0, 1.0).keys, ElementsAre(0));
}

TEST(Attention, ADeadRowHasNoOutput) {
    const HeadInputs<double> in = {{{1}, {1}}, {{}, {1}}, {{}, {1}}};
    const auto got = attend(Spec{}, std::string("PR"), in, 0, 0, 1.0);
    EXPECT_TRUE(got.keys.empty());
    EXPECT_TRUE(got.weights.empty());
    EXPECT_TRUE(got.output.empty());
}

}  // namespace
}  // namespace kvcheck
