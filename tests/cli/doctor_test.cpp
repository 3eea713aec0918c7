// SPDX-License-Identifier: Apache-2.0
// kvcheck doctor: how far a subject gets, with the exit code that says whether it is ready.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/child.hpp"

namespace kvcheck {
namespace {

using testing::HasSubstr;

TEST(Doctor, SendsARightSubjectToTheRun) {
    const Outcome outcome = kvcheck_with({"doctor", "--subject", "plain"});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_THAT(
        outcome.out,
        HasSubstr("it answers  2 and then 3 at attention level, where 2 and 3 are right\n"));
    EXPECT_THAT(outcome.out,
                HasSubstr("it answers  2 and then 3 at layer level, where 2 and 3 are right\n"));
    EXPECT_THAT(outcome.out, HasSubstr("the first output is 2 and the second the mean, 3\n"));
    EXPECT_THAT(outcome.out, HasSubstr("next        kvcheck run --quick --subject 'plain'\n"));
}

TEST(Doctor, ShowsAWrongAnswer) {
    const Outcome outcome = kvcheck_with({"doctor", "--subject", "mutant:chunk_local_mask"});
    EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
    EXPECT_THAT(
        outcome.out,
        HasSubstr("it answers  2 and then 2 at attention level, where 2 and 3 are right\n"));
    EXPECT_THAT(outcome.out, HasSubstr("next        mend the case above"));
}

TEST(Doctor, SaysWhatIsMissing) {
    const std::string hello = R"({"done":{"protocol":1,"name":"bare","features":["attention"]}})";
    const Outcome outcome = kvcheck_with(
        {"doctor", "--subject",
         "exec:read l; echo '" + hello + "'; read l; echo '{\"refused\":\"not yet\"}'"});
    EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("it says     bare"));
    EXPECT_THAT(outcome.out, HasSubstr("not yet"));
    EXPECT_THAT(outcome.out, HasSubstr("weights_match_the_oracle needs weights\n"));
    EXPECT_THAT(outcome.out, HasSubstr("batch: only one row is ever given\n"));
}

TEST(Doctor, NamesTheFeatureThatTheFailingCasesHaveInCommon) {
    const Outcome outcome = kvcheck_with({"doctor", "--subject", "mutant:softcap_ignored"});
    EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
    EXPECT_THAT(outcome.out, testing::ContainsRegex(
                                 "it fails    [1-9][0-9]* of 120 random cases; all of these need "
                                 "softcap \\(takes a cap on scores, c tanh\\(s / c\\)\\), and as "
                                 "many random cases without it hold"));
}

TEST(Doctor, SaysThatNoFeatureExplainsAFailure) {
    const Outcome outcome = kvcheck_with({"doctor", "--subject", "mutant:first_sink_for_all"});
    EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("no feature by itself explains it"));
}

/// A program whose hello declares these features and which refuses all else.
std::string declaring(const std::string& features) {
    return "exec:read l; echo '{\"done\":{\"protocol\":1,\"name\":\"bare\",\"features\":[" +
           features + "]}}'; while read l; do echo '{\"refused\":\"not yet\"}'; done";
}

TEST(Doctor, SaysWhichFeatureIsMissingBesideAnother) {
    const std::string subject = declaring(R"("attention","anchors","rotated_keys")");
    const std::string doctor = kvcheck_with({"doctor", "--subject", subject}).out;
    EXPECT_THAT(doctor,
                HasSubstr("in vain     it declares a feature without another: anchors needs "
                          "window\n"));
    const std::string run = kvcheck_with({"run", "--fail-fast", "--subject", subject}).out;
    for (const std::string missing :
         {"anchors needs window", "rotated_keys needs rotary_halves or rotary_adjacent",
          "rotated_keys needs kv_export"}) {
        EXPECT_THAT(run, HasSubstr("in vain  it declares a feature without another: " + missing));
    }
}

}  // namespace
}  // namespace kvcheck
