// SPDX-License-Identifier: Apache-2.0
// Which tokens nobody sees any more.
#include "model/forgotten.hpp"

#include <gtest/gtest.h>

#include "tests/model/build.hpp"

namespace kvcheck {
namespace {

/// Their numbers, as tiny_append() numbers them.
std::vector<float> forgotten(const Case& test_case, std::size_t commands) {
    const Forgotten gone(test_case, commands);
    std::vector<float> numbers;
    for_each_token(test_case, [&](const TokenSite& site, const Token& token) {
        if (gone.has(site)) numbers.push_back(token.input.front());
    });
    return numbers;
}

TEST(Forgotten, AreTokensThatWereTakenBackResetEvictedOrDropped) {
    using Numbers = std::vector<float>;
    const Append two = tiny_append({"RR", "R"});
    EXPECT_EQ(forgotten(tiny_case(2, {two, Truncate{1, 0}}), 2), Numbers{2});
    EXPECT_EQ(forgotten(tiny_case(2, {two, Reset{0}}), 2), (Numbers{1, 2}));
    EXPECT_EQ(forgotten(tiny_case(2, {two, Evict{0, 0, 1}}), 2), Numbers{1});
    EXPECT_EQ(forgotten(tiny_case(2, {two, Reorder{{1, 1}}}), 2), (Numbers{1, 2}));
    EXPECT_EQ(forgotten(tiny_case(2, {two, Truncate{1, 0}}), 1), Numbers{}) << "not yet";
}

TEST(Forgotten, AreNotThoseThatAForkStillHolds) {
    const Case kept = tiny_case(1, {tiny_append({"RR"}), Fork{0}, Reset{0}});
    EXPECT_TRUE(Forgotten(kept, 3).empty());
    const Case evicted_once = tiny_case(1, {tiny_append({"RR"}), Fork{0}, Evict{0, 0, 1}});
    EXPECT_TRUE(Forgotten(evicted_once, 3).empty());
}

}  // namespace
}  // namespace kvcheck
