// SPDX-License-Identifier: Apache-2.0
// What people read of a verdict says what they need and no more.
#include "properties/drive/sentence.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "properties/drive/judge.hpp"
#include "properties/drive/variants.hpp"

namespace kvcheck {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string sentence_about(const Answer& right, double seen, double score_size) {
    Judge judge((Capabilities()));
    Place place;
    place.row = 0;
    place.slot = 1;
    place.element = 0;
    judge.within(right, seen, "output", place, score_size);
    return sentence_of(judge.verdict());
}

TEST(Sentence, HasNoHugeRatioWhereTheBoundIsTiny) {
    const std::string sentence = sentence_about({0, 0, 0x1p-140}, 1, 0);
    EXPECT_THAT(sentence, HasSubstr("far outside the bound"));
    EXPECT_THAT(sentence, Not(HasSubstr("times the bound")));
    EXPECT_THAT(sentence_about({1, 0, 0x1p-20}, 2, 0), HasSubstr("1.05e+06 times the bound"));
}

TEST(Sentence, SaysHowLargeTheScoresWereWhereTheyWere) {
    EXPECT_THAT(sentence_about({1, 0, 0x1p-20}, 2, 5e7), HasSubstr("scores up to 5e+07"));
    EXPECT_THAT(sentence_about({1, 0, 0x1p-20}, 2, 3), Not(HasSubstr("score")));
}

TEST(Sentence, NamesTheRowNumberThatDiffers) {
    std::vector<RowNumbers> expected(2);
    expected[1].length = 2;
    std::vector<RowNumbers> seen = expected;
    EXPECT_EQ(difference_of(expected, seen), "");
    seen[1].length = 3;
    EXPECT_EQ(difference_of(expected, seen), "length of row 1 is 3, not 2");
    seen[1].length.reset();
    EXPECT_EQ(difference_of(expected, seen), "length of row 1 is unknown, not 2");
}

TEST(Sentence, CountsEqualChunksInPlaceOfWritingThemOut) {
    EXPECT_EQ(chunks_text({3, 1}), "3 + 1");
    EXPECT_EQ(chunks_text({1, 1, 1}), "1 + 1 + 1");
    EXPECT_EQ(chunks_text(std::vector<Index>(65, 1)), "1 + 1 + ... (65 times)");
    EXPECT_EQ(chunks_text({3, 2, 2, 2, 2, 1}), "3 + 2 + 2 + ... (4 times) + 1");
}

}  // namespace
}  // namespace kvcheck
