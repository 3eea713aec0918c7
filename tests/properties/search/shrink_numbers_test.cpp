// SPDX-License-Identifier: Apache-2.0
// Plainer numbers: the exact list for one token, that parameters are tried like inputs, and that
// every number offered is of lower rank while the others stay.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "model/types/arrays.hpp"
#include "model/walk.hpp"
#include "tests/model/build.hpp"
#include "tests/model/generated.hpp"
#include "tests/properties/search/candidates.hpp"

namespace kvcheck {
namespace {

using testing::ElementsAre;
using Numbers = std::vector<float>;

Case one_token(const Numbers& input) {
    return tiny_case(1, {Append{{{{true, input}}}, std::nullopt}});
}

/// The token's numbers in every case that is offered.
std::vector<Numbers> inputs(const Case& base) {
    std::vector<Numbers> list;
    for (const auto& simpler : offered(base, add_simpler_numbers)) {
        if (simpler) list.push_back(std::get<Append>(simpler->program[0]).rows[0][0].input);
    }
    return list;
}

TEST(SimplerNumbers, OfOneToken) {
    const Numbers base = {3, 0.25F, 0};
    EXPECT_THAT(
        inputs(one_token(base)),
        ElementsAre(
            // Many at once: everything, q or k of all tokens, q or k of this one; v is zero.
            Numbers{0, 0, 0}, Numbers{0, 0.25F, 0}, Numbers{3, 0, 0}, Numbers{0, 0.25F, 0},
            Numbers{3, 0, 0},  //
            Numbers{1, 1, 0}, Numbers{1, 0.25F, 0}, Numbers{3, 1, 0}, Numbers{1, 0.25F, 0},
            Numbers{3, 1, 0},
            // The first alone.
            Numbers{0, 0.25F, 0}, Numbers{1, 0.25F, 0}, Numbers{-1, 0.25F, 0}, Numbers{2, 0.25F, 0},
            Numbers{0.5F, 0.25F, 0},
            // The second alone; its integer part, and then one digit of it.
            Numbers{3, 0, 0}, Numbers{3, 1, 0}, Numbers{3, -1, 0}, Numbers{3, 2, 0},
            Numbers{3, 0.5F, 0}, Numbers{3, 0, 0}, Numbers{3, 0.2F, 0}));
}

TEST(SimplerNumbers, OfALongDecimalAreItsIntegerPartAndItsFirstDigits) {
    const std::vector<Numbers> list = inputs(one_token({-12.3456F, 0, 0}));
    EXPECT_THAT(list, ElementsAre(Numbers{0, 0, 0}, Numbers{0, 0, 0}, Numbers{0, 0, 0},  //
                                  Numbers{1, 0, 0}, Numbers{1, 0, 0}, Numbers{1, 0, 0},  //
                                  Numbers{0, 0, 0}, Numbers{1, 0, 0}, Numbers{-1, 0, 0},
                                  Numbers{2, 0, 0}, Numbers{0.5F, 0, 0},  //
                                  Numbers{-12, 0, 0}, Numbers{-10, 0, 0}, Numbers{-12, 0, 0},
                                  Numbers{-12.3F, 0, 0}));
}

TEST(SimplerNumbers, OfPlainOnesAreThePlainerOnes) {
    EXPECT_THAT(inputs(one_token({0, 0, 0})), ElementsAre());
    EXPECT_THAT(inputs(one_token({1, 0, 0})), ElementsAre(Numbers{0, 0, 0}, Numbers{0, 0, 0},
                                                          Numbers{0, 0, 0}, Numbers{0, 0, 0}));
    EXPECT_EQ(rank_of(0), 0);
    EXPECT_GT(rank_of(-0.0F), rank_of(0.5F)) << "it is no zero of the list";
}

TEST(SimplerNumbers, OfWhatIsNotFiniteAreThePlainOnes) {
    Case base = one_token({0, 0, NAN});
    std::get<Append>(base.program[0]).rows[0][0].real = false;
    EXPECT_THAT(inputs(base), ElementsAre(Numbers{0, 0, 0}, Numbers{0, 0, 0}, Numbers{0, 0, 0},  //
                                          Numbers{0, 0, 1}, Numbers{0, 0, 1}, Numbers{0, 0, 1},  //
                                          Numbers{0, 0, 0}, Numbers{0, 0, 1}, Numbers{0, 0, -1},
                                          Numbers{0, 0, 2}, Numbers{0, 0, 0.5F}));
}

TEST(SimplerNumbers, OfOneKindAreThoseOfAllTokens) {
    Case base = tiny_case(1, {tiny_append({"RR"}, 7)});  // q and v are 7 and 8
    const auto list = offered(base, add_simpler_numbers);
    ASSERT_TRUE(list[1]);
    std::vector<Numbers> tokens;
    for_each_token(*list[1],
                   [&](const TokenSite&, const Token& token) { tokens.push_back(token.input); });
    EXPECT_THAT(tokens, ElementsAre(Numbers{0, 0, 7}, Numbers{0, 0, 8})) << "every query";
    EXPECT_FALSE(list[2]) << "every key is zero";
}

TEST(SimplerNumbers, ParametersComeBeforeTokensAndEachArrayIsOne) {
    Case base;
    base.spec.level = Level::layer;
    base.spec.model_width = 1;
    base.parameters = zero_parameters(base.spec, 0);
    base.parameters.key.weight = {7};
    base.parameters.output.weight = {9};
    base.program = {Append{{{{true, {5}}}}, std::nullopt}};
    std::vector<Numbers> list;  // key weight, output weight, x
    for (const auto& simpler : offered(base, add_simpler_numbers)) {
        if (!simpler) continue;
        list.push_back({simpler->parameters.key.weight[0], simpler->parameters.output.weight[0],
                        std::get<Append>(simpler->program[0]).rows[0][0].input[0]});
    }
    ASSERT_GE(list.size(), 10U);
    const std::vector<Numbers> first(list.begin(), list.begin() + 10);
    EXPECT_THAT(first, ElementsAre(Numbers{0, 0, 0}, Numbers{7, 9, 0},                    // all, x
                                   Numbers{0, 9, 5}, Numbers{7, 0, 5}, Numbers{7, 9, 0},  // each
                                   Numbers{1, 1, 1}, Numbers{7, 9, 1},                    //
                                   Numbers{1, 9, 5}, Numbers{7, 1, 5}, Numbers{7, 9, 1}));
}

/// Every number of a case, parameters first.
Numbers all_numbers(const Case& value) {
    Numbers numbers;
    for (const ParameterArray& array : parameter_arrays()) {
        const auto& part = array.in(value.parameters);
        numbers.insert(numbers.end(), part.begin(), part.end());
    }
    for_each_token(value, [&](const TokenSite&, const Token& token) {
        numbers.insert(numbers.end(), token.input.begin(), token.input.end());
    });
    return numbers;
}

Size ranks(const Case& value) {
    Size size;
    for (const float number : all_numbers(value)) size.push_back(rank_of(number));
    return size;
}

TEST(SimplerNumbers, AreOfLowerRankAndNothingElseChanges) {
    constexpr std::size_t step = 13;  // a sample of a long list
    long tried = 0;
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        const Case base = generated_case(seed);
        for (const auto& simpler : offered(base, add_simpler_numbers, step)) {
            if (!simpler) continue;
            EXPECT_TRUE(is_simpler(ranks(*simpler), ranks(base))) << seed;
            EXPECT_EQ(simpler->spec, base.spec) << seed;
            EXPECT_TRUE(is_admissible(*simpler)) << seed;
            ++tried;
        }
    }
    EXPECT_GT(tried, 300);
}

}  // namespace
}  // namespace kvcheck
