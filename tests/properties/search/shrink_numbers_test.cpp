// SPDX-License-Identifier: Apache-2.0
// Plainer numbers, one by one and in groups: which are offered for one token, and that every number
// offered is of lower rank while the others stay.
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
using testing::IsSupersetOf;
using Numbers = std::vector<float>;

Case one_token(const Numbers& input) {
    return tiny_case(1, {Append{{{{true, input}}}, std::nullopt}});
}

/// The token's numbers in every case that is offered.
std::vector<Numbers> inputs(const Case& base) {
    std::vector<Numbers> list;
    for (const auto& simpler : offered(base, plainer_numbers)) {
        if (simpler) list.push_back(std::get<Append>(simpler->program[0]).rows[0][0].input);
    }
    return list;
}

TEST(SimplerNumbers, OfOneTokenOneByOne) {
    EXPECT_THAT(inputs(one_token({3, 0.25F, 0})),
                IsSupersetOf({Numbers{0, 0.25F, 0}, Numbers{1, 0.25F, 0}, Numbers{-1, 0.25F, 0},
                              Numbers{2, 0.25F, 0}, Numbers{0.5F, 0.25F, 0}, Numbers{3, 0, 0},
                              Numbers{3, 1, 0}, Numbers{3, 0.2F, 0}}));
}

TEST(SimplerNumbers, OfALongDecimalAreItsIntegerPartAndItsFirstDigits) {
    EXPECT_THAT(inputs(one_token({-12.3456F, 0, 0})),
                IsSupersetOf({Numbers{-12, 0, 0}, Numbers{-10, 0, 0}, Numbers{-12.3F, 0, 0}}));
}

TEST(SimplerNumbers, InGroupsAreEverythingAndOneKind) {
    const Case base = tiny_case(1, {tiny_append({"RR"}, 7)});  // q and v are 7 and 8
    std::vector<std::vector<Numbers>> groups;
    for (const auto& simpler : offered(base, plainer_groups)) {
        if (!simpler) continue;
        auto& tokens = groups.emplace_back();
        for_each_token(
            *simpler, [&](const TokenSite&, const Token& token) { tokens.push_back(token.input); });
    }
    using Tokens = std::vector<Numbers>;
    EXPECT_THAT(groups, IsSupersetOf({Tokens{{0, 0, 0}, {0, 0, 0}}, Tokens{{0, 0, 7}, {0, 0, 8}},
                                      Tokens{{7, 0, 0}, {8, 0, 0}}}));
}

TEST(SimplerNumbers, OfPlainOnesAreThePlainerOnes) {
    EXPECT_THAT(inputs(one_token({0, 0, 0})), ElementsAre());
    EXPECT_THAT(inputs(one_token({1, 0, 0})), ElementsAre(Numbers{0, 0, 0}));
    EXPECT_EQ(rank_of(0), 0);
    EXPECT_GT(rank_of(-0.0F), rank_of(0.5F)) << "it is no zero of the list";
}

TEST(SimplerNumbers, OfWhatIsNotFiniteAreThePlainOnes) {
    Case base = one_token({0, 0, NAN});
    std::get<Append>(base.program[0]).rows[0][0].real = false;
    EXPECT_THAT(inputs(base), ElementsAre(Numbers{0, 0, 0}, Numbers{0, 0, 1}, Numbers{0, 0, -1},
                                          Numbers{0, 0, 2}, Numbers{0, 0, 0.5F}));
}

/// Every number of a case, parameters first.
Numbers all_numbers(const Case& test_case) {
    Numbers numbers;
    for (const ParameterArray& array : parameter_arrays()) {
        const auto& part = array.in(test_case.parameters);
        numbers.insert(numbers.end(), part.begin(), part.end());
    }
    for_each_token(test_case, [&](const TokenSite&, const Token& token) {
        numbers.insert(numbers.end(), token.input.begin(), token.input.end());
    });
    return numbers;
}

Size ranks(const Case& test_case) {
    Size size;
    for (const float number : all_numbers(test_case)) size.push_back(rank_of(number));
    return size;
}

TEST(SimplerNumbers, AreOfLowerRankAndNothingElseChanges) {
    constexpr std::size_t step = 13;  // a sample of a long list
    long tried = 0;
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        const Case base = generated_case(seed);
        for (const auto& simpler : offered(base, plainer_numbers, step)) {
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
