// SPDX-License-Identifier: Apache-2.0
// The sentence of every kind of verdict, word for word.
#include "properties/drive/sentence.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace kvcheck {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// A failure with this evidence; an answer's deviation is worked out.
Verdict failed(const Place& place, Evidence evidence) {
    if (evidence.kind == Evidence::Kind::answer) {
        evidence.deviation = deviation_of(evidence.seen, evidence.right, evidence.digits);
    }
    Verdict verdict = Verdict::failed("diagnosis", "");
    verdict.place = place;
    verdict.evidence = evidence;
    return verdict;
}

Verdict wrong_answer(double seen, const Answer& right, int digits = 24) {
    return failed(
        {.command = 1, .row = 0, .slot = 3, .head = 2, .element = 4},
        {.what = "output", .seen = seen, .right = right, .deviation = {}, .digits = digits});
}

const std::string there = "command 1, row 0, slot 3, head 2, output element 4: ";

TEST(Sentence, OfAnAnswerSaysHowFarItIsOff) {
    // An ulp of 0.25 in float is 2^-25, and a quarter is 2^23 of them.
    EXPECT_EQ(
        sentence_of(wrong_answer(0.5, {0.25, 0, 0.0625})),
        there + "got 0.5, the oracle says 0.25; off by 0.25 (8.39e+06 ulp, 4 times the bound)");
}

TEST(Sentence, OfADoubleHasItsDigitsAndItsUlps) {
    EXPECT_EQ(
        sentence_of(wrong_answer(0.1, {0.5, 0, 0.25}, 24)),
        there + "got 0.1, the oracle says 0.5; off by 0.4 (6.71e+06 ulp, 1.6 times the bound)");
    EXPECT_EQ(sentence_of(wrong_answer(0.30000000000000004, {0.5, 0, 0.125}, 53)),
              there +
                  "got 0.30000000000000004, the oracle says 0.5; off by 0.2 (1.8e+15 ulp, 1.6 "
                  "times the bound)");
}

TEST(Sentence, OfAZeroTellsNoUlps) {
    EXPECT_EQ(sentence_of(wrong_answer(0.5, {0, 0, 0.125})),
              there + "got 0.5, the oracle says 0; off by 0.5 (4 times the bound)");
}

TEST(Sentence, OfAnExactAnswerSaysThatItIsExact) {
    EXPECT_EQ(sentence_of(wrong_answer(0.5, {0, 0, 0})), there + "got 0.5, must be exactly 0");
    EXPECT_EQ(sentence_of(wrong_answer(1, {nan, 0, 0})), there + "got 1, must be exactly nan");
}

TEST(Sentence, OfWhatIsNotFiniteTellsNoDistance) {
    EXPECT_EQ(sentence_of(wrong_answer(nan, {0.25, 0, 1})),
              there + "got nan, the oracle says 0.25");
    EXPECT_EQ(sentence_of(wrong_answer(-std::numeric_limits<double>::infinity(), {0.25, 0, 1})),
              there + "got -inf, the oracle says 0.25");
}

TEST(Sentence, OfAnAnswerHasTwentyDigits) {
    // 1 + 2^-60 does not fit into a double.
    EXPECT_EQ(sentence_of(wrong_answer(nan, {1, 0x1p-60, 1})),
              there + "got nan, the oracle says 1.0000000000000000009");
}

TEST(Sentence, OfAWeightNamesItsKey) {
    EXPECT_EQ(sentence_of(failed({.command = 0, .row = 1, .slot = 2, .head = 0, .key = 1},
                                 {.what = "weight", .seen = 0.5, .right = {}, .deviation = {}})),
              "command 0, row 1, slot 2, head 0, weight of key 1: got 0.5, must be exactly 0");
}

TEST(Sentence, OfASumOfWeightsNamesItsHead) {
    EXPECT_EQ(
        sentence_of(failed({.command = 0, .row = 1, .slot = 2, .head = 3},
                           {.what = "sum of weights", .seen = 2, .right = {}, .deviation = {}})),
        "command 0, row 1, slot 2, head 3, sum of weights: got 2, must be exactly 0");
}

TEST(Sentence, OfAStoredElementNeedsNoCommand) {
    EXPECT_EQ(sentence_of(failed({.row = 0, .slot = 2, .element = 1},
                                 {.what = "stored key", .seen = 2, .right = {}, .deviation = {}})),
              "row 0, slot 2, stored key element 1: got 2, must be exactly 0");
}

TEST(Sentence, OfALayersOutputHasNoHead) {
    EXPECT_EQ(sentence_of(failed({.command = 0, .row = 0, .slot = 2, .element = 1},
                                 {.what = "output", .seen = 2, .right = {}, .deviation = {}})),
              "command 0, row 0, slot 2, output element 1: got 2, must be exactly 0");
}

TEST(Sentence, OfBitsSaysWhatTheyWere) {
    const Place place = {.command = 1, .row = 0, .slot = 3, .head = 2, .element = 4};
    Evidence evidence = {.kind = Evidence::Kind::bits,
                         .what = "output",
                         .seen = -0.0,
                         .right = {0.1F, 0, 0},
                         .deviation = {}};
    EXPECT_EQ(sentence_of(failed(place, evidence)), there + "0.1 became -0");
    evidence.digits = 53;
    EXPECT_EQ(sentence_of(failed(place, evidence)), there + "0.10000000149011612 became -0");
}

TEST(Sentence, OfACountNamesTheNumberWhereItsValueIs) {
    EXPECT_EQ(sentence_of(failed({.command = 2, .row = 1}, {.kind = Evidence::Kind::count,
                                                            .what = "next_slot",
                                                            .seen = -5,
                                                            .right = {4, 0, 0},
                                                            .deviation = {}})),
              "after command 2, row 1: next_slot is -5, the contract says 4");
}

TEST(Sentence, OfAFaultHasItsWords) {
    Verdict verdict = Verdict::failed("memory", "it wrote there");
    EXPECT_EQ(sentence_of(verdict), "it wrote there");
    verdict.place = {.command = 0, .row = 1, .slot = 2};
    EXPECT_EQ(sentence_of(verdict), "command 0, row 1, slot 2: it wrote there");
    verdict.variant = "in chunks of 3 + 1";
    EXPECT_EQ(sentence_of(verdict), "in chunks of 3 + 1, command 0, row 1, slot 2: it wrote there");
}

TEST(Sentence, EndsWithWhatElseWouldFit) {
    Verdict verdict = Verdict::failed("memory", "it wrote there");
    verdict.hint = "the other way would fit";
    EXPECT_EQ(sentence_of(verdict), "it wrote there; the other way would fit");
    verdict = wrong_answer(0.5, {0, 0, 0.125});
    verdict.hint = "so it is";
    EXPECT_EQ(sentence_of(verdict),
              there + "got 0.5, the oracle says 0; off by 0.5 (4 times the bound); so it is");
}

TEST(Sentence, OfADeathASkipAndDistrustIsWhatHappened) {
    EXPECT_EQ(sentence_of(Verdict::crashed("append: it threw")), "append: it threw");
    EXPECT_EQ(sentence_of(Verdict::timed_out("append: no answer")), "append: no answer");
    EXPECT_EQ(sentence_of(Verdict::skipped("no weights")), "no weights");
    EXPECT_EQ(sentence_of(Verdict::distrusted("nothing to compare")), "nothing to compare");
}

TEST(Sentence, ShowsThePositionIdWhereItIsNotTheSlot) {
    Verdict verdict = Verdict::failed("output", "wrong");
    verdict.place = {.command = 0, .row = 0, .slot = 3, .position_id = 1, .head = 2};
    EXPECT_EQ(sentence_of(verdict), "command 0, row 0, slot 3, position id 1, head 2: wrong");
    verdict.place.position_id = 3;
    EXPECT_EQ(sentence_of(verdict), "command 0, row 0, slot 3, head 2: wrong");
    verdict.place.position_id = 0;
    EXPECT_EQ(sentence_of(verdict), "command 0, row 0, slot 3, position id 0, head 2: wrong");
}

TEST(Sentence, OfAFlakyCaseSaysSoFirst) {
    Verdict verdict = wrong_answer(nan, {0.25, 0, 1});
    verdict.kind = Verdict::Kind::flaky;
    EXPECT_EQ(sentence_of(verdict), "not every time: " + there + "got nan, the oracle says 0.25");
    verdict.variant = "in chunks of 1";
    EXPECT_EQ(sentence_of(verdict),
              "not every time: in chunks of 1, " + there + "got nan, the oracle says 0.25");
}

}  // namespace
}  // namespace kvcheck
