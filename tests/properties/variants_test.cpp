// SPDX-License-Identifier: Apache-2.0
// Cases made from cases: the splits are the ones that are promised, and no variant changes more
// than it says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "properties/drive/variants.hpp"
#include "properties/generators/structure.hpp"

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

TEST(Variants, KeepTheHistory) {
    for (std::uint64_t n = 0; n < 100; ++n) {
        Draw draw(SplitMix{n});
        const Case value = draw_structure(draw, Level::attention, FeatureSet::all(), {});
        for (const auto& chunks : splits_of(6)) {
            const Case split = with_chunks(value, chunks);
            EXPECT_NO_THROW(validate(split));
            EXPECT_TRUE(history_of(split) == history_of(value));
        }
    }
}

TEST(Variants, ReplaceOnlyWhatOthersMayRead) {
    Draw draw(SplitMix{1});
    const Case value = draw_structure(draw, Level::attention, FeatureSet::all(), {});
    const Case changed = with_contents(value, Part::seen_by_others, 3,
                                       [](auto, auto, auto, const Token&) { return true; });
    for (const Epoch& epoch : history_of(changed)) {
        for (const RowTokens& row : epoch) {
            for (const Token& token : row) {
                for (Index i = 0; i < value.spec.input_size(); ++i) {
                    EXPECT_EQ(token.input[std::size_t(i)], i < value.spec.query_size() ? 0 : 3);
                }
            }
        }
    }
}

}  // namespace
}  // namespace kvcheck
