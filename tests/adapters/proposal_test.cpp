// SPDX-License-Identifier: Apache-2.0
// The doctor looks at the numbers of a library that declares no numeric profile.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/adapters/plugins.hpp"
#include "tests/cli/child.hpp"

namespace kvcheck {
namespace {

using testing::HasSubstr;

TEST(Doctor, ProposesAProfileToALibraryThatDeclaresNone) {
    const Outcome outcome = kvcheck_with({"doctor", "--subject", plugin("NO_PROFILE")});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_THAT(outcome.out,
                HasSubstr("profile     60 random cases fit a tighter numeric profile"));
    EXPECT_THAT(outcome.out, HasSubstr("            rescale_block 0 in place of 1\n"));
}

TEST(Doctor, ProposesNothingWhereARandomCaseFails) {
    const Outcome outcome = kvcheck_with({"doctor", "--subject", "mutant:restarted_positions"});
    EXPECT_EQ(outcome.code, 1) << outcome.out;
    EXPECT_THAT(outcome.out, testing::Not(HasSubstr("profile ")));
    EXPECT_THAT(outcome.out,
                testing::ContainsRegex("it fails    [1-9][0-9]* of 120 random cases; "));
}

}  // namespace
}  // namespace kvcheck
