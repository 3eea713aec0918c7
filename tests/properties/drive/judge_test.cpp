// SPDX-License-Identifier: Apache-2.0
// The judge: what each kind of comparison accepts and what it keeps, that the worst finding is the
// one that is told, and that a judge which compared nothing is not believed.
#include "properties/drive/judge.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/properties/drive/expect_at.hpp"

namespace kvcheck {
namespace {

const Place here = {.command = 3, .row = 1, .slot = 4, .head = 2, .element = 5};
const Place elsewhere = {.command = 9, .row = 8, .slot = 7, .head = 6, .element = 5};

/// The value 1, within a half.
const Answer one = {1, 0, 0.5};

Judge judge_of(int digits = 24) {
    Capabilities capabilities;
    capabilities.profile = profile_of_digits(digits);
    return Judge(capabilities);
}

TEST(JudgeWithin, TheBoundPassesAndTheLargestRatioIsKept) {
    Judge judge = judge_of();
    judge.within(one, 1.25, "output", here);
    judge.within(one, 1.375, "output", here);
    judge.within(one, 1.125, "output", here);
    EXPECT_FALSE(judge.failed());
    EXPECT_EQ(judge.verdict().kind, Verdict::Kind::passed);
    EXPECT_EQ(judge.verdict().worst_ratio, 0.75);
}

TEST(JudgeWithin, TheBoundItselfPassesAndAnythingBeyondFails) {
    Judge judge = judge_of();
    judge.within(one, 1.5, "output", here);
    EXPECT_EQ(judge.verdict().worst_ratio, 1);
    EXPECT_FALSE(judge.failed());
    judge.within(one, std::nextafter(1.5, 2.0), "output", here);
    EXPECT_TRUE(judge.failed());
}

TEST(JudgeWithin, AFailureKeepsItsPlaceAndItsNumbers) {
    Judge judge = judge_of(53);
    judge.in_variant("in chunks of 3 + 1");
    judge.within(one, 3, "output", here, 7.5);
    const Verdict verdict = judge.verdict();
    EXPECT_EQ(verdict.kind, Verdict::Kind::failed);
    EXPECT_EQ(verdict.diagnosis, "output");
    EXPECT_EQ(verdict.variant, "in chunks of 3 + 1");
    EXPECT_EQ(verdict.worst_ratio, 4);
    expect_at(verdict.place, here);
    ASSERT_TRUE(verdict.evidence);
    EXPECT_EQ(verdict.evidence->kind, Evidence::Kind::answer);
    EXPECT_EQ(verdict.evidence->what, "output");
    EXPECT_EQ(verdict.evidence->seen, 3);
    EXPECT_EQ(verdict.evidence->right.hi, 1);
    EXPECT_EQ(verdict.evidence->right.bound, 0.5);
    EXPECT_EQ(verdict.evidence->deviation.error, 2);
    EXPECT_EQ(verdict.evidence->deviation.ratio, 4);
    EXPECT_EQ(verdict.evidence->score_size, 7.5);
    EXPECT_EQ(verdict.evidence->digits, 53);
}

TEST(JudgeWithin, TheWorstFailureIsKeptInWhateverOrder) {
    for (const bool worst_first : {true, false}) {
        Judge judge = judge_of();
        if (worst_first) judge.within(one, 5, "output", here);
        judge.within(one, 2, "output", elsewhere);
        if (!worst_first) judge.within(one, 5, "output", here);
        judge.within(one, 1, "output", elsewhere);
        EXPECT_EQ(judge.verdict().evidence->seen, 5) << worst_first;
        expect_at(judge.verdict().place, here);
    }
}

TEST(JudgeWithin, OfEqualFailuresTheFirstIsKept) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    Judge judge = judge_of();
    judge.within(one, 9, "output", elsewhere);
    judge.within(one, nan, "output", here);
    judge.within(one, -INFINITY, "output", elsewhere);
    expect_at(judge.verdict().place, here);
    EXPECT_TRUE(std::isnan(judge.verdict().evidence->seen));
}

TEST(JudgeWithin, ANumberThatIsNotFiniteIsAnotherDiagnosis) {
    const auto diagnosis = [](const Answer& right, double seen, std::string_view given) {
        Judge judge = judge_of();
        judge.within(right, seen, "weight", here, 0, given);
        return judge.verdict().diagnosis;
    };
    const Answer nan = {std::numeric_limits<double>::quiet_NaN(), 0, 0};
    EXPECT_EQ(diagnosis(one, 9, ""), "weight");
    EXPECT_EQ(diagnosis(one, NAN, ""), "weight not finite");
    EXPECT_EQ(diagnosis(one, INFINITY, ""), "weight not finite");
    EXPECT_EQ(diagnosis(one, 9, "weight of padding"), "weight of padding");
    EXPECT_EQ(diagnosis(one, NAN, "weight of padding"), "weight of padding not finite");
    EXPECT_EQ(diagnosis(nan, 9, ""), "weight") << "NaN was right";
    EXPECT_EQ(diagnosis(nan, INFINITY, ""), "weight") << "NaN was right";
    EXPECT_EQ(diagnosis(nan, NAN, ""), "") << "it passes";
}

TEST(JudgeSame, BitsAreComparedAndTheFirstDifferenceIsKept) {
    Judge judge = judge_of();
    judge.same(0.5, 0.5, "output", elsewhere, "bits");
    judge.same(NAN, NAN, "output", elsewhere, "bits");
    EXPECT_EQ(judge.verdict().kind, Verdict::Kind::passed);
    judge.same(0.5, 0.25, "output", here, "bits");
    judge.same(0.5, 99, "output", elsewhere, "bits");
    const Verdict verdict = judge.verdict();
    EXPECT_EQ(verdict.kind, Verdict::Kind::failed);
    EXPECT_EQ(verdict.diagnosis, "bits");
    expect_at(verdict.place, here);
    EXPECT_EQ(verdict.evidence->kind, Evidence::Kind::bits);
    EXPECT_EQ(verdict.evidence->right.hi, 0.5);
    EXPECT_EQ(verdict.evidence->seen, 0.25);
}

TEST(JudgeSame, TheSignOfAZeroIsABit) {
    Judge judge = judge_of();
    judge.same(0.0, -0.0, "stored key", here, "bits");
    EXPECT_TRUE(judge.failed());
}

TEST(JudgeCount, AnotherNumberFailsByItsName) {
    const Place after = {.command = 2, .row = 1};
    Judge judge = judge_of();
    judge.count(4, 4, "length", elsewhere);
    EXPECT_EQ(judge.verdict().kind, Verdict::Kind::passed);
    judge.count(4, 5, "next_slot", after);
    judge.count(4, 6, "length", elsewhere);
    const Verdict verdict = judge.verdict();
    EXPECT_EQ(verdict.kind, Verdict::Kind::failed);
    EXPECT_EQ(verdict.diagnosis, "next_slot");
    expect_at(verdict.place, after);
    EXPECT_EQ(verdict.evidence->kind, Evidence::Kind::count);
    EXPECT_EQ(verdict.evidence->right.hi, 4);
    EXPECT_EQ(verdict.evidence->seen, 5);
}

TEST(JudgeFault, HasWordsAPlaceAndAVariant) {
    Judge judge = judge_of();
    judge.in_variant("in packed arrays");
    judge.fault("memory", "it wrote there", here);
    judge.fault("other", "it wrote elsewhere");
    const Verdict verdict = judge.verdict();
    EXPECT_EQ(verdict.kind, Verdict::Kind::failed);
    EXPECT_EQ(verdict.diagnosis, "memory");
    EXPECT_EQ(verdict.words, "it wrote there");
    EXPECT_EQ(verdict.variant, "in packed arrays");
    EXPECT_FALSE(verdict.evidence);
    expect_at(verdict.place, here);
}

TEST(Judge, AFailureStaysWhateverIsRightLater) {
    Judge judge = judge_of();
    judge.count(1, 2, "length", here);
    judge.in_variant("later");
    judge.holds();
    judge.within(one, 1, "output", elsewhere);
    judge.same(1, 1, "output", elsewhere, "bits");
    EXPECT_EQ(judge.verdict().diagnosis, "length");
    EXPECT_EQ(judge.verdict().variant, "");
}

TEST(Judge, ThatComparedNothingIsDistrusted) {
    EXPECT_EQ(judge_of().verdict().kind, Verdict::Kind::distrusted);
    EXPECT_EQ(judge_of().verdict().words, "nothing to compare");
    EXPECT_FALSE(judge_of().failed());
    Judge judge = judge_of();
    judge.trouble(kvcheck::Run());
    EXPECT_EQ(judge.verdict().kind, Verdict::Kind::distrusted) << "no trouble is no comparison";
    judge.holds();
    EXPECT_EQ(judge.verdict().kind, Verdict::Kind::passed);
}

TEST(Judge, TheTroubleOfARunIsItsVerdict) {
    kvcheck::Run run;
    run.trouble = Verdict::crashed("append: it threw");
    Judge judge = judge_of();
    judge.in_variant("in chunks of 1");
    judge.trouble(run);
    EXPECT_EQ(judge.verdict().kind, Verdict::Kind::crashed);
    EXPECT_EQ(judge.verdict().words, "append: it threw");
    EXPECT_EQ(judge.verdict().variant, "in chunks of 1");
    run.trouble = Verdict::timed_out("append: no answer");
    judge.trouble(run);
    EXPECT_EQ(judge.verdict().kind, Verdict::Kind::crashed) << "the first one stays";
}

}  // namespace
}  // namespace kvcheck
