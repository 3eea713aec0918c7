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

}  // namespace
}  // namespace kvcheck
