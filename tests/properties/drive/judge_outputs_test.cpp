// SPDX-License-Identifier: Apache-2.0
// The judges of whole runs: against the oracle, and two runs against each other.
#include <gtest/gtest.h>

#include <cmath>

#include "impl/catalogue.hpp"
#include "properties/drive/judge.hpp"
#include "tests/properties/drive/expect_at.hpp"

namespace kvcheck {
namespace {

/// A case with two heads of width two, the run of a right subject on it, and its oracle.
class JudgeOutputs : public testing::Test {
protected:
    JudgeOutputs() {
        test_case_.spec.rows = 2;
        test_case_.spec.query_heads = test_case_.spec.kv_heads = 2;
        test_case_.spec.key_width = test_case_.spec.value_width = 2;
        test_case_.spec.capacity = 4;
        Append append;
        append.rows.resize(2);
        for (const bool real : {true, false, true}) {
            append.rows[1].push_back({real, {0, 0, 0, 0, 1, 1, 1, 1, 0, 2, 4, 8}});
        }
        test_case_.program.emplace_back(append);
        run_ = drive(*subject_, test_case_);
    }

    Verdict verdict(const kvcheck::Run& run) {
        Judge judge(subject_->capabilities());
        judge_outputs(judge, run, oracle());
        return judge.verdict();
    }
    Verdict verdict(const kvcheck::Run& expected, const kvcheck::Run& run, bool repeatable) {
        Capabilities capabilities = subject_->capabilities();
        if (!repeatable) capabilities.features.remove(Feature::repeatable);
        Judge judge(capabilities);
        judge_same_outputs(judge, capabilities, oracle(), expected, run);
        return judge.verdict();
    }
    Oracle& oracle() {
        if (!oracle_) {
            oracle_.emplace(test_case_.spec, test_case_.parameters,
                            subject_->capabilities().profile);
        }
        return *oracle_;
    }

    std::unique_ptr<Subject> subject_ = built_in_subjects()[0].make("plain");
    Case test_case_;
    kvcheck::Run run_;
    std::optional<Oracle> oracle_;
};

TEST_F(JudgeOutputs, ARightRunPasses) {
    EXPECT_EQ(verdict(run_).kind, Verdict::Kind::passed);
    EXPECT_EQ(verdict(kvcheck::Run()).kind, Verdict::Kind::distrusted);
}

TEST_F(JudgeOutputs, AWrongElementIsNamedByHeadAndElement) {
    run_.observations[2].output[3] += 1;  // the last element of the second head
    const Verdict wrong = verdict(run_);
    EXPECT_EQ(wrong.diagnosis, "output");
    expect_at(wrong.place, {.command = 0, .row = 1, .slot = 2, .head = 1, .element = 1});
    EXPECT_EQ(wrong.evidence->seen, 9);
    EXPECT_EQ(wrong.evidence->right.hi, 8);
}

TEST_F(JudgeOutputs, WhatNobodySpecifiesIsNotCompared) {
    run_.observations[1].output[0] = 1e9;  // a padded query's
    run_.observations[1].written = false;
    EXPECT_EQ(verdict(run_).kind, Verdict::Kind::passed);
}

TEST_F(JudgeOutputs, AnElementThatWasNotWrittenIsAFault) {
    run_.observations[2].written = false;
    const Verdict wrong = verdict(run_);
    EXPECT_EQ(wrong.diagnosis, "unwritten");
    expect_at(wrong.place, {.command = 0, .row = 1, .slot = 2});
}

TEST_F(JudgeOutputs, TheSizeOfTheScoreIsOfTheHeadThatIsWrong) {
    // Scores of the second head: q.k / sqrt(2) = (3 + 4) / 1.414.
    auto& tokens = std::get<Append>(test_case_.program[0]).rows[1];
    for (Token& token : tokens) token.input = {0, 0, 3, 4, 1, 1, 1, 1, 0, 2, 4, 8};
    run_ = drive(*subject_, test_case_);
    run_.observations[0].output[0] += 1;
    EXPECT_EQ(verdict(run_).evidence->score_size, 0);
    run_.observations[0].output[0] -= 1;
    run_.observations[0].output[2] += 1;
    EXPECT_FLOAT_EQ(float(verdict(run_).evidence->score_size), 4.9497475F);
}

TEST_F(JudgeOutputs, TwoRunsOfARepeatableSubjectHaveTheSameBits) {
    kvcheck::Run other = run_;
    EXPECT_EQ(verdict(run_, other, true).kind, Verdict::Kind::passed);
    double& element = other.observations[2].output[1];
    element = std::nextafter(float(element), 9.0F);
    const Verdict wrong = verdict(run_, other, true);
    EXPECT_EQ(wrong.diagnosis, "bits");
    expect_at(wrong.place, {.command = 0, .row = 1, .slot = 2, .head = 0, .element = 1});
    EXPECT_EQ(wrong.evidence->right.hi, 2);
    EXPECT_EQ(verdict(run_, other, false).kind, Verdict::Kind::passed) << "it is within its bound";
}

TEST_F(JudgeOutputs, TheSignOfAZeroOutputIsNoBit) {
    kvcheck::Run other = run_;
    ASSERT_EQ(other.observations[2].output[0], 0);
    other.observations[2].output[0] = -other.observations[2].output[0];
    EXPECT_EQ(verdict(run_, other, true).kind, Verdict::Kind::passed);
}

TEST_F(JudgeOutputs, OneThatIsNotRepeatableIsHeldAgainstTheOracle) {
    kvcheck::Run other = run_;
    run_.observations[2].output[1] += 1;  // the run that nothing is compared with
    EXPECT_EQ(verdict(run_, other, false).kind, Verdict::Kind::passed);
    other.observations[2].output[1] += 1;
    EXPECT_EQ(verdict(run_, other, false).diagnosis, "output");
}

TEST_F(JudgeOutputs, TheTroubleOfEitherRunIsTold) {
    kvcheck::Run broken = run_;
    broken.trouble = Verdict::crashed("append: it threw");
    EXPECT_EQ(verdict(broken).kind, Verdict::Kind::crashed);
    EXPECT_EQ(verdict(broken, run_, true).kind, Verdict::Kind::crashed);
    EXPECT_EQ(verdict(run_, broken, true).kind, Verdict::Kind::crashed);
}

}  // namespace
}  // namespace kvcheck
