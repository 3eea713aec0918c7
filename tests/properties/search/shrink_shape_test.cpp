// SPDX-License-Identifier: Apache-2.0
// Fewer heads and narrower vectors: the exact list for small shapes, which numbers are kept of
// tokens and parameters, and that every case offered is valid and smaller.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "model/types/arrays.hpp"
#include "tests/model/build.hpp"
#include "tests/model/generated.hpp"
#include "tests/properties/search/candidates.hpp"

namespace kvcheck {
namespace {

using testing::ElementsAre;

/// One token whose numbers count from 1 at attention level.
Case counting_case(Index query_heads, Index kv_heads, Index key_width, Index value_width) {
    Case test_case;
    test_case.spec.query_heads = query_heads;
    test_case.spec.kv_heads = kv_heads;
    test_case.spec.key_width = key_width;
    test_case.spec.value_width = value_width;
    Token token = zero_token(test_case.spec, true);
    for (std::size_t i = 0; i < token.input.size(); ++i) token.input[i] = float(i + 1);
    test_case.program.emplace_back(Append{{{token}}, std::nullopt});
    return test_case;
}

/// "2/1 heads, 3/1 wide: 1 2 3": heads, widths and the token's numbers.
std::string shape_text(const Case& test_case) {
    const Spec& spec = test_case.spec;
    std::string text = std::to_string(spec.query_heads) + "/" + std::to_string(spec.kv_heads) +
                       " heads, " + std::to_string(spec.key_width) + "/" +
                       std::to_string(spec.value_width) + " wide:";
    for (const float x : std::get<Append>(test_case.program[0]).rows[0][0].input) {
        text += " " + std::to_string(int(x));
    }
    return text;
}

std::vector<std::string> shape_texts(const Case& base) {
    std::vector<std::string> list;
    for (const auto& simpler : offered(base, add_simpler_shapes))
        list.push_back(shape_text(*simpler));
    return list;
}

TEST(SimplerShapes, OfTwoHeadsOverOne) {
    // q is 1 2 | 3 4, k is 5 6, v is 7.
    EXPECT_THAT(shape_texts(counting_case(2, 1, 2, 1)),
                Offers("1/1 heads, 2/1 wide: 1 2 5 6 7", "1/1 heads, 2/1 wide: 3 4 5 6 7",
                       "2/1 heads, 1/1 wide: 1 3 5 7", "2/1 heads, 1/1 wide: 2 4 6 7"));
}

TEST(SimplerShapes, OfFourHeadsOverTwo) {
    // q is 1 2 3 4, k is 5 6, v is 7 8; heads 0 and 1 read the first of them.
    EXPECT_THAT(shape_texts(counting_case(4, 2, 1, 1)),
                Offers("1/1 heads, 1/1 wide: 1 5 7", "1/1 heads, 1/1 wide: 2 5 7",
                       "1/1 heads, 1/1 wide: 3 6 8", "1/1 heads, 1/1 wide: 4 6 8",      // a head
                       "2/1 heads, 1/1 wide: 1 2 5 7", "2/1 heads, 1/1 wide: 3 4 6 8",  // a group
                       "2/2 heads, 1/1 wide: 1 3 5 6 7 8"));  // a head of either
}

TEST(SimplerShapes, OfThreeHeadsOverOneKeepAPair) {
    EXPECT_THAT(shape_texts(counting_case(3, 1, 1, 1)),
                Offers("1/1 heads, 1/1 wide: 1 4 5", "1/1 heads, 1/1 wide: 2 4 5",
                       "1/1 heads, 1/1 wide: 3 4 5", "2/1 heads, 1/1 wide: 1 2 4 5"));
}

TEST(SimplerShapes, OfTwoHeadsWithTheirOwnKeys) {
    EXPECT_THAT(shape_texts(counting_case(2, 2, 1, 1)),
                Offers("1/1 heads, 1/1 wide: 1 3 5", "1/1 heads, 1/1 wide: 2 4 6",
                       "1/1 heads, 1/1 wide: 1 3 5", "1/1 heads, 1/1 wide: 2 4 6"));
}

TEST(SimplerShapes, OfManyHeadsAreAnyNumberOfGroupsAndOfHeadsInEach) {
    // q is 1 to 8, k is 9 to 12, v is 13 to 16; two heads read each of four.
    EXPECT_THAT(shape_texts(counting_case(8, 4, 1, 1)),
                Offers("6/3 heads, 1/1 wide: 3 4 5 6 7 8 10 11 12 14 15 16",
                       "6/3 heads, 1/1 wide: 1 2 3 4 5 6 9 10 11 13 14 15",
                       "4/4 heads, 1/1 wide: 1 3 5 7 9 10 11 12 13 14 15 16"));
    // q is 1 to 5, k is 6, v is 7.
    EXPECT_THAT(shape_texts(counting_case(5, 1, 1, 1)),
                Offers("4/1 heads, 1/1 wide: 1 2 3 4 6 7", "3/1 heads, 1/1 wide: 1 2 3 6 7"));
}

TEST(SimplerShapes, EqualWidthsShrinkTogetherBeforeEachAlone) {
    EXPECT_THAT(shape_texts(counting_case(1, 1, 2, 2)),
                Offers("1/1 heads, 1/1 wide: 1 3 5", "1/1 heads, 1/1 wide: 2 4 6",
                       "1/1 heads, 1/2 wide: 1 3 5 6", "1/1 heads, 1/2 wide: 2 4 5 6",
                       "1/1 heads, 2/1 wide: 1 2 3 4 5", "1/1 heads, 2/1 wide: 1 2 3 4 6"));
}

TEST(SimplerShapes, AWidthOfThreeGivesElementsHalvesAndPairs) {
    // q is 1, k is 2, v is 3 4 5.
    EXPECT_THAT(shape_texts(counting_case(1, 1, 1, 3)),
                Offers("1/1 heads, 1/1 wide: 1 2 3", "1/1 heads, 1/1 wide: 1 2 4",
                       "1/1 heads, 1/1 wide: 1 2 5",                                  // single
                       "1/1 heads, 1/1 wide: 1 2 3", "1/1 heads, 1/2 wide: 1 2 4 5",  // halves
                       "1/1 heads, 1/2 wide: 1 2 4 5", "1/1 heads, 1/2 wide: 1 2 3 5",
                       "1/1 heads, 1/2 wide: 1 2 3 4"));  // one element less
}

TEST(SimplerShapes, TheSmallestShapeHasNone) {
    EXPECT_THAT(shape_texts(counting_case(1, 1, 1, 1)), ElementsAre());
}

/// A layer with D = 2 and one head of width two, all of whose numbers differ.
Case counting_layer() {
    Case test_case;
    test_case.spec.level = Level::layer;
    test_case.spec.key_width = test_case.spec.value_width = 2;
    test_case.spec.model_width = 2;
    test_case.spec.position_signal = PositionSignal::learned;
    test_case.spec.biases = true;
    test_case.parameters = layer_parameters_of({{1, 2, 3, 4}, {5, 6}}, {{7, 8, 9, 10}, {11, 12}},
                                               {{13, 14, 15, 16}, {17, 18}},
                                               {{19, 20, 21, 22}, {23, 24}}, {25, 26, 27, 28});
    test_case.program.emplace_back(Append{{{{true, {29, 30}}}}, std::nullopt});
    return test_case;
}

TEST(SimplerShapes, OfALayerTakeRowsAndColumnsOfItsProjections) {
    const auto list = offered(counting_layer(), add_simpler_shapes);
    for (const auto& simpler : list) EXPECT_NO_THROW(validate(*simpler));
    const auto offers = [&](const Parameters& parameters) {
        return std::any_of(list.begin(), list.end(), [&](const std::optional<Case>& simpler) {
            return simpler && simpler->parameters == parameters;
        });
    };
    const Parameters narrow_model = layer_parameters_of(
        {{2, 4}, {5, 6}}, {{8, 10}, {11, 12}}, {{14, 16}, {17, 18}}, {{21, 22}, {24}}, {26, 28});
    EXPECT_TRUE(offers(narrow_model)) << "element 1 of x";
    const Parameters narrow_keys =
        layer_parameters_of({{1, 2}, {5}}, {{7, 8}, {11}}, {{13, 14, 15, 16}, {17, 18}},
                            {{19, 20, 21, 22}, {23, 24}}, {25, 26, 27, 28});
    EXPECT_TRUE(offers(narrow_keys)) << "element 0 of queries and keys";
    const Parameters narrow_values =
        layer_parameters_of({{1, 2, 3, 4}, {5, 6}}, {{7, 8, 9, 10}, {11, 12}}, {{15, 16}, {18}},
                            {{20, 22}, {23, 24}}, {25, 26, 27, 28});
    EXPECT_TRUE(offers(narrow_values)) << "element 1 of values";
}

/// One token of one head of width five, whose query counts from 1; two pairs of it are turned.
Case turned_case(Rotary rotary) {
    Case test_case = counting_case(1, 1, 5, 1);
    test_case.spec.rotary = rotary;
    test_case.spec.rotary_width = 4;
    test_case.parameters.rotary_table = {10, 20, 30, 40};
    return test_case;
}

/// "1 3 / 10 30": the query and the table.
std::vector<std::string> turned_texts(const Case& base) {
    std::vector<std::string> list;
    for (const auto& simpler : offered(base, add_simpler_shapes)) {
        EXPECT_NO_THROW(validate(*simpler));
        std::string text;
        const std::vector<float>& input = std::get<Append>(simpler->program[0]).rows[0][0].input;
        for (Index i = 0; i < simpler->spec.key_width; ++i)
            text += std::to_string(int(input[std::size_t(i)])) + " ";
        text += "/";
        for (const float x : simpler->parameters.rotary_table) text += " " + std::to_string(int(x));
        list.push_back(text);
    }
    return list;
}

TEST(SimplerShapes, PairsThatAreTurnedStayOrGoTogether) {
    EXPECT_THAT(turned_texts(turned_case(Rotary::halves)),
                Offers("1 3 / 10 30", "2 4 / 20 40", "1 2 3 4 / 10 20 30 40", "1 3 5 / 10 30",
                       "2 4 5 / 20 40", "1 2 3 4 5 / 10 30"));
    EXPECT_THAT(turned_texts(turned_case(Rotary::adjacent)),
                Offers("1 2 / 10 30", "3 4 / 20 40", "1 2 3 4 / 10 20 30 40", "1 2 5 / 10 30",
                       "3 4 5 / 20 40", "1 2 3 4 5 / 10 30"));
}

Size size_of_shape(const Spec& spec) {
    return {long(spec.query_heads), long(spec.kv_heads),    long(spec.key_width),
            long(spec.value_width), long(spec.model_width), long(spec.turned_width())};
}

TEST(SimplerShapes, AreValidSmallerInSomethingAndElseTheSame) {
    long tried = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const Case base = generated_case(seed);
        for (const auto& simpler : offered(base, add_simpler_shapes)) {
            ASSERT_TRUE(simpler) << seed;
            EXPECT_TRUE(is_admissible(*simpler)) << seed;
            EXPECT_TRUE(is_simpler(size_of_shape(simpler->spec), size_of_shape(base.spec))) << seed;
            Spec spec = simpler->spec;
            spec.query_heads = base.spec.query_heads;
            spec.kv_heads = base.spec.kv_heads;
            spec.key_width = base.spec.key_width;
            spec.value_width = base.spec.value_width;
            spec.model_width = base.spec.model_width;
            spec.rotary_width = base.spec.rotary_width;
            EXPECT_EQ(spec, base.spec) << seed;
            EXPECT_EQ(simpler->program.size(), base.program.size()) << seed;
            ++tried;
        }
    }
    EXPECT_GT(tried, 300);
}

}  // namespace
}  // namespace kvcheck
