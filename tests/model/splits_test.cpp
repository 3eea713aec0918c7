// SPDX-License-Identifier: Apache-2.0
// The same tokens in other calls: what a segment is, how it is cut, and what is repaired after.
#include "model/splits.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/types/error.hpp"
#include "tests/model/build.hpp"
#include "tests/model/generated.hpp"

namespace kvcheck {
namespace {

using testing::ElementsAre;

/// The numbers of a row's tokens, as tiny_append gave them.
std::vector<float> numbers_of(const std::vector<Token>& row) {
    std::vector<float> numbers;
    numbers.reserve(row.size());
    for (const Token& token : row) numbers.push_back(token.input.front());
    return numbers;
}

TEST(Segments, ForgetHowTheProgramWasCut) {
    const std::vector<Segment> segments = segments_of(tiny_case(
        2, {tiny_append({"RP", "R"}, 1), tiny_append({"", ""}), tiny_append({"R", ""}, 4)}));
    ASSERT_EQ(segments.size(), 1U);
    EXPECT_THAT(numbers_of(segments[0][0]), ElementsAre(1, 2, 4));
    EXPECT_THAT(numbers_of(segments[0][1]), ElementsAre(3));
    EXPECT_FALSE(segments[0][0][1].real);
}

TEST(Segments, LieBetweenTheOtherCommands) {
    const std::vector<Segment> segments = segments_of(
        tiny_case(1, {Reset{}, tiny_append({"R"}, 1), Reset{0}, tiny_append({"R"}, 2)}));
    ASSERT_EQ(segments.size(), 3U);
    EXPECT_THAT(numbers_of(segments[0][0]), ElementsAre());
    EXPECT_THAT(numbers_of(segments[1][0]), ElementsAre(1));
    EXPECT_THAT(numbers_of(segments[2][0]), ElementsAre(2));
}

TEST(Segments, AreOneEmptyOneInAnEmptyProgram) {
    const std::vector<Segment> segments = segments_of(tiny_case(2, {}));
    ASSERT_EQ(segments.size(), 1U);
    EXPECT_EQ(segments[0], Segment(2));
}

TEST(Resplit, CutsTheSameTokensAnew) {
    const Case test_case =
        tiny_case(2, {tiny_append({"RPR", "R"}, 1), Reset{}, tiny_append({"R", "RR"}, 5)});
    const Case split = resplit(test_case, {{{1, 0}, {0, 0}, {2, 1}}, {{1, 2}}});
    EXPECT_EQ(segments_of(split), segments_of(test_case));
    EXPECT_EQ(split.spec, test_case.spec);
    ASSERT_EQ(split.program.size(), 5U);
    EXPECT_EQ(split.program[0], Command(tiny_append({"R", ""}, 1)));
    EXPECT_EQ(split.program[1], Command(tiny_append({"", ""})));
    EXPECT_EQ(split.program[3], Command(Reset{}));
    EXPECT_EQ(split.program[4], test_case.program[2]);
}

TEST(Resplit, GivesOffsetsWhereThereWereAny) {
    const Case test_case = tiny_case(2, {tiny_append({"RR", ""}, 1, std::vector<Index>{0, 0}),
                                         Reset{}, tiny_append({"", "R"}, 5)});
    const Case split = resplit(test_case, {{{1, 0}, {1, 0}}, {{0, 1}}});
    EXPECT_NO_THROW(validate(split));
    EXPECT_EQ(split.program[0], Command(tiny_append({"R", ""}, 1, std::vector<Index>{0, 0})));
    EXPECT_EQ(split.program[1], Command(tiny_append({"R", ""}, 2, std::vector<Index>{1, 0})));
    EXPECT_EQ(split.program[3], Command(tiny_append({"", "R"}, 5, std::vector<Index>{0, 0})))
        << "slots begin at zero after a reset";
}

TEST(Resplit, OfGeneratedCasesTokenByTokenStaysValid) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const Case test_case = generated_case(seed);
        std::vector<Counts> splits;
        for (const Segment& segment : segments_of(test_case)) {
            splits.push_back(
                counts_of(segment, std::vector<Index>(std::size_t(test_case.spec.capacity), 1)));
        }
        const Case split = resplit(test_case, splits);
        EXPECT_NO_THROW(validate(split));
        EXPECT_EQ(segments_of(split), segments_of(test_case)) << seed;
    }
}

TEST(ResplitDeathTest, ThatLosesATokenIsOurOwnBug) {
    const Case test_case = tiny_case(1, {tiny_append({"RR"})});
    EXPECT_DEATH(resplit(test_case, {{{1}}}), "kvcheck has a bug");
    EXPECT_DEATH(resplit(test_case, {{{2}}, {{0}}}), "kvcheck has a bug");
}

TEST(Segments, AreAsLongAsTheirLongestRow) {
    const std::vector<Segment> segments =
        segments_of(tiny_case(2, {tiny_append({"RP", ""}), tiny_append({"R", "RP"}), Reset{}}));
    EXPECT_EQ(longest_row(segments[0]), 3);
    EXPECT_EQ(longest_row(segments[1]), 0);
}

/// A segment whose rows have these lengths.
Segment segment_of(const std::vector<std::string>& rows) { return tiny_append(rows).rows; }

TEST(Counts, AShorterRowEndsEarlier) {
    const Segment segment = segment_of({"RRRRR", "RR"});
    EXPECT_THAT(counts_of(segment, {3, 2}), ElementsAre(ElementsAre(3, 2), ElementsAre(2, 0)));
    EXPECT_THAT(counts_of(segment, {1, 4}), ElementsAre(ElementsAre(1, 1), ElementsAre(4, 1)));
}

TEST(Counts, WhatTheSizesLeaveOverComesInOneMoreCall) {
    const Segment segment = segment_of({"RRRRR", "RR"});
    EXPECT_THAT(counts_of(segment, {}), ElementsAre(ElementsAre(5, 2)));
    EXPECT_THAT(counts_of(segment, {1}), ElementsAre(ElementsAre(1, 1), ElementsAre(4, 1)));
}

TEST(Counts, SizesThatAreNoLongerNeededAreCallsWithoutTokens) {
    EXPECT_THAT(counts_of(segment_of({"RR"}), {0, 3, 1}),
                ElementsAre(ElementsAre(0), ElementsAre(2), ElementsAre(0)));
}

TEST(Counts, AnEmptySegmentHasNone) {
    EXPECT_TRUE(counts_of(segment_of({"", ""}), {1, 2}).empty());
}

TEST(Offsets, AreRepairedWhereThereAreAny) {
    Case test_case =
        tiny_case(2, {tiny_append({"RP", "R"}, 1, std::vector<Index>{7}), tiny_append({"", "R"}),
                      tiny_append({"R", ""}, 1, std::vector<Index>{9, 9, 9}), Reset{1},
                      tiny_append({"", ""}, 1, std::vector<Index>{0, 2})});
    repair_offsets(test_case);
    const auto offsets = [&](std::size_t command) {
        return std::get<Append>(test_case.program[command]).query_offset;
    };
    EXPECT_EQ(offsets(0), (std::vector<Index>{0, 0}));
    EXPECT_EQ(offsets(1), std::nullopt);
    EXPECT_EQ(offsets(2), (std::vector<Index>{2, 2}));
    EXPECT_EQ(offsets(4), (std::vector<Index>{3, 0}));
    EXPECT_NO_THROW(validate(test_case));
}

TEST(Splits, SegmentsHaveTheRowsThatThereAreThen) {
    const std::vector<Segment> segments =
        segments_of(tiny_case(1, {tiny_append({"R"}), Fork{0}, tiny_append({"R", "RR"}),
                                  Reorder{{1}}, tiny_append({"R"})}));
    ASSERT_EQ(segments.size(), 3U);
    EXPECT_EQ(segments[0].size(), 1U);
    EXPECT_EQ(segments[1].size(), 2U);
    EXPECT_EQ(segments[2].size(), 1U);
}

TEST(Repair, CutsLengthsAndSlotsToWhatIsThere) {
    Case test_case =
        tiny_case(1, {tiny_append({"R"}), Evict{0, 0, 3}, Truncate{2, 0}, Evict{0, 2, 3}, Finish{0},
                      tiny_append({"R"}, 2, std::vector<Index>{9})});
    ASSERT_TRUE(repair(test_case));
    EXPECT_EQ(test_case.program,
              (std::vector<Command>{tiny_append({"R"}), Evict{0, 0, 1}, Truncate{1, 0}, Finish{0},
                                    tiny_append({""}, 2, std::vector<Index>{1})}));
    EXPECT_NO_THROW(validate(test_case));
}

TEST(Repair, SaysSoWhereRowsAreMissing) {
    Case test_case = tiny_case(1, {tiny_append({"R", "R"})});
    EXPECT_FALSE(repair(test_case));
    test_case = tiny_case(1, {Truncate{0, 1}});
    EXPECT_FALSE(repair(test_case));
}

TEST(Repair, MakesAParentThatIsGoneNone) {
    Append draft = tiny_append({"RR"});
    draft.rows[0][1].back = 4;
    Case test_case = tiny_case(1, {tiny_append({"RR"}), draft});
    ASSERT_NO_THROW(validate(test_case));
    test_case.program.erase(test_case.program.begin());
    EXPECT_THROW(validate(test_case), InputError);
    ASSERT_TRUE(repair(test_case));
    EXPECT_NO_THROW(validate(test_case));
    EXPECT_EQ(std::get<Append>(test_case.program[0]).rows[0][1].back, 2);
}

}  // namespace
}  // namespace kvcheck
