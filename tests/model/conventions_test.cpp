// SPDX-License-Identifier: Apache-2.0
// What a spec may add to plain attention, on cases that can be worked by hand: the examples of
// docs/contract.md, and what sets each convention apart from the next best reading of it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/model/documents.hpp"
#include "tests/model/one_query.hpp"

namespace kvcheck {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Tokens of equal scores, zero, whose values are 1, 2, 4 and so on.
HeadInputs<Fraction> equal_scores(std::size_t count) {
    HeadInputs<Fraction> in;
    for (std::size_t n = 0; n < count; ++n) {
        in.query.push_back(fractions({0}));
        in.key.push_back(fractions({1}));
        in.value.push_back(fractions({1 << n}));
    }
    return in;
}

/// Which slots a query sees: "  1  0  1".
std::string seen_by(const Spec& spec, const std::string& row, Index slot) {
    const auto got = attend(spec, row, equal_scores(row.size()), slot, 0, Fraction(1));
    std::string text;
    for (std::size_t n = 0; n < row.size(); ++n) {
        const bool seen = std::find(got.keys.begin(), got.keys.end(), n) != got.keys.end();
        text += seen ? "  1" : "  0";
    }
    return text;
}

TEST(Window, AndItsAnchorsSeeWhatTheContractShows) {
    Spec spec;
    spec.window = 2;
    spec.anchors = 1;
    const std::string page = document("contract.md");
    for (const Index slot : {0, 1, 3, 4}) {
        EXPECT_THAT(page, HasSubstr(fmt::format("    query {}    {}\n", slot,
                                                seen_by(spec, "RRPRR", slot))));
    }
    EXPECT_EQ(seen_by(spec, "PRRRR", 4), "  0  1  0  1  1") << "the first real token is the anchor";
}

TEST(Window, OfOneLeavesAQueryItsOwnKeyAndALongOneHidesNothing) {
    Spec spec;
    spec.window = 1;
    EXPECT_EQ(seen_by(spec, "RRR", 2), "  0  0  1");
    spec.window = 2;
    EXPECT_EQ(seen_by(spec, "RRR", 2), "  0  1  1");
    EXPECT_EQ(seen_by(spec, "RPR", 2), "  0  0  1") << "slots count, not real tokens";
    spec.window = 3;
    EXPECT_EQ(seen_by(spec, "RRR", 2), "  1  1  1");
}

TEST(Softcap, ComesAfterTheScale) {
    Spec spec;
    spec.softcap = 1.0F;
    const HeadInputs<double> in = {{{4}}, {{1}}, {{1}}};
    const auto got = attend(spec, std::string("R"), in, 0, 0, 0.5);
    EXPECT_THAT(got.scores, ElementsAre(std::tanh(2.0)));
    EXPECT_THAT(document("contract.md"), HasSubstr("the score is tanh(2) = 0.964"));
    EXPECT_EQ(fmt::format("{:.3f}", got.scores[0]), "0.964");
}

TEST(Slopes, WeighKeysByTheirDistance) {
    Spec spec;
    spec.slopes = true;
    Parameters parameters;
    parameters.slopes = {1};
    // To the base two the proportion is 1 : 2 : 4; the page has it to the base e.
    const auto got =
        attend(spec, std::string("RRR"), equal_scores(3), 2, 0, Fraction(1), parameters);
    EXPECT_EQ(got.scores, fractions({-2, -1, 0}));
    EXPECT_EQ(got.weights, (std::vector<Fraction>{{1, 7}, {2, 7}, {4, 7}}));
    const double e = std::exp(1.0);
    const double sum = 1 + e + e * e;
    EXPECT_THAT(document("contract.md"), HasSubstr(fmt::format("which is {:.3f}, {:.3f}, {:.3f}",
                                                               1 / sum, e / sum, e * e / sum)));
}

TEST(Slopes, AreOfTheirHeadAndNotScaled) {
    Spec spec;
    spec.slopes = true;
    spec.query_heads = 2;
    Parameters parameters;
    parameters.slopes = {1, 3};
    HeadInputs<Fraction> in = equal_scores(2);
    for (auto& query : in.query) query = fractions({0, 0});
    const auto got = attend(spec, std::string("RR"), in, 1, 1, Fraction(2), parameters);
    EXPECT_EQ(got.scores, fractions({-3, 0}));
}

TEST(Slopes, CountWhatTheIdsCount) {
    Spec spec;
    spec.slopes = true;
    Parameters parameters;
    parameters.slopes = {1};
    const HeadInputs<Fraction> in = equal_scores(3);
    const std::string row = "RPR";
    EXPECT_EQ(attend(spec, row, in, 2, 0, Fraction(1), parameters).scores, fractions({-2, 0}));
    spec.position_ids = PositionIds::visible_count;
    EXPECT_EQ(attend(spec, row, in, 2, 0, Fraction(1), parameters).scores, fractions({-1, 0}));
}

TEST(Sinks, TakeAShareAndHaveNoValue) {
    Spec spec;
    spec.sinks = true;
    Parameters parameters;
    parameters.sinks = {0};
    const HeadInputs<Fraction> in = equal_scores(2);
    const auto one = attend(spec, std::string("RR"), in, 0, 0, Fraction(1), parameters);
    EXPECT_EQ(one.weights, (std::vector<Fraction>{{1, 2}}));
    EXPECT_EQ(one.output, (std::vector<Fraction>{{1, 2}}));
    const auto two = attend(spec, std::string("RR"), in, 1, 0, Fraction(1), parameters);
    EXPECT_EQ(two.sink, Fraction(1, 3));
    EXPECT_EQ(two.output, fractions({1})) << "(1 + 2) / 3";
}

TEST(Sinks, AreNeitherScaledNorCappedNorBiased) {
    Spec spec;
    spec.sinks = spec.slopes = true;
    Parameters parameters;
    parameters.sinks = {-1};
    parameters.slopes = {1};
    const auto got =
        attend(spec, std::string("RR"), equal_scores(2), 1, 0, Fraction(7), parameters);
    EXPECT_EQ(got.weights, (std::vector<Fraction>{{1, 4}, {2, 4}}));
    EXPECT_EQ(got.sink, Fraction(1, 4));
}

TEST(Sinks, TakeAllOfARowThatSeesNoKey) {
    Spec spec;
    spec.sinks = true;
    Parameters parameters;
    parameters.sinks = {-5};
    const auto got =
        attend(spec, std::string("PR"), equal_scores(2), 0, 0, Fraction(1), parameters);
    EXPECT_TRUE(got.keys.empty());
    EXPECT_EQ(got.sink, Fraction(1));
    EXPECT_EQ(got.output, fractions({0}));
}

}  // namespace
}  // namespace kvcheck
