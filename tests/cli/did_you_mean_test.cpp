// SPDX-License-Identifier: Apache-2.0
// The distance between what was typed and what was meant.
#include "cli/did_you_mean.hpp"

#include <gtest/gtest.h>

namespace kvcheck {
namespace {

TEST(EditDistance, CountsEachKindOfEdit) {
    EXPECT_EQ(edit_distance("", ""), 0U);
    EXPECT_EQ(edit_distance("", "abc"), 3U);
    EXPECT_EQ(edit_distance("mask", "mask"), 0U);
    EXPECT_EQ(edit_distance("mak", "mask"), 1U) << "an insertion";
    EXPECT_EQ(edit_distance("masks", "mask"), 1U) << "a deletion";
    EXPECT_EQ(edit_distance("mosk", "mask"), 1U) << "a replacement";
    EXPECT_EQ(edit_distance("msak", "mask"), 1U) << "an exchange";
    EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
    EXPECT_EQ(edit_distance("sitting", "kitten"), 3U);
}

TEST(DidYouMean, OffersTheNearestWithinAThird) {
    const std::vector<std::string> names = {"plain", "plain64", "fast"};
    EXPECT_EQ(did_you_mean("plane", names), "; did you mean \"plain\"?");
    EXPECT_EQ(did_you_mean("plain46", names), "; did you mean \"plain64\"?");
    EXPECT_EQ(did_you_mean("fats", names), "; did you mean \"fast\"?");
    EXPECT_EQ(did_you_mean("torch", names), "");
    EXPECT_EQ(did_you_mean("plain", {}), "");
    EXPECT_EQ(did_you_mean(std::string(201, 'x'), {std::string(201, 'x')}), "");
}

}  // namespace
}  // namespace kvcheck
