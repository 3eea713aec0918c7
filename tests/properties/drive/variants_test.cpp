// SPDX-License-Identifier: Apache-2.0
// Cases made from cases: the splits are the ones that are promised, and no variant changes more
// than it says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "properties/drive/variants.hpp"
#include "properties/generators/structure.hpp"
#include "properties/generators/values.hpp"

namespace kvcheck {
namespace {

using testing::Contains;
using testing::ElementsAre;

TEST(Splits, ContainTheFullPassTheSingleTokensAndThreeTwoTwo) {
    const auto splits = splits_of(7);
    EXPECT_THAT(splits, Contains(ElementsAre(7)));
    EXPECT_THAT(splits, Contains(ElementsAre(1, 1, 1, 1, 1, 1, 1)));
    EXPECT_THAT(splits, Contains(ElementsAre(3, 2, 2)));
    EXPECT_THAT(splits, Contains(ElementsAre(6, 1)));
    EXPECT_THAT(splits, Contains(ElementsAre(0, 3, 0, 4)));
}

TEST(Splits, AreEveryCompositionOfAShortRow) {
    std::size_t without_empty = 0;
    for (const auto& split : splits_of(4)) {
        without_empty += std::find(split.begin(), split.end(), 0) == split.end() ? 1 : 0;
    }
    EXPECT_EQ(without_empty, 8U);
}

TEST(Variants, KeepTheTokensAndTheirOrder) {
    for (std::uint64_t n = 0; n < 100; ++n) {
        Draw draw(SplitMix{n});
        Case test_case = draw_structure(draw, Level::attention, FeatureSet::all(), {});
        fill_values(test_case, {Family::uniform, n}, false);
        for (const auto& chunks : splits_of(6)) {
            const Case split = with_chunks(test_case, chunks);
            EXPECT_NO_THROW(validate(split));
            EXPECT_TRUE(segments_of(split) == segments_of(test_case));
        }
    }
}

TEST(Variants, ReplaceOnlyTheChosenTokens) {
    Draw draw(SplitMix{1});
    const Case test_case = draw_structure(draw, Level::attention, FeatureSet::all(), {});
    const auto chosen = [](const TokenSite& site) { return site.row == 0 && site.slot > 0; };
    const Case changed = with_contents(
        test_case, 3, [&](const TokenSite& site, const Token&) { return chosen(site); });
    long replaced = 0;
    for_each_token(changed, [&](const TokenSite& site, const Token& token) {
        const std::vector<float> all(token.input.size(), chosen(site) ? 3.0F : 0.0F);
        EXPECT_EQ(token.input, all);
        replaced += chosen(site) ? 1 : 0;
    });
    EXPECT_GT(replaced, 0);
}

}  // namespace
}  // namespace kvcheck
