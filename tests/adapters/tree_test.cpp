// SPDX-License-Identifier: Apache-2.0
// Trees through the C interface, and through the child protocol: a subject that follows the parents
// that it is handed holds, and one that does not is caught.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/adapters/plugins.hpp"
#include "tests/cli/child.hpp"

namespace kvcheck {
namespace {

Outcome judged(const std::string& subject, const std::string& property) {
    const TemporaryFolder folder;
    return kvcheck_with({"run", "--subject", subject, "--property", property, "--cases", "40",
                         "--seed", "tree", "--corpus", "none"},
                        folder.path());
}

TEST(Tree, ReachesALibraryWithItsParents) {
    for (const char* const property :
         {"branches_do_not_mix", "outputs_match_the_oracle", "wrong_call_is_refused"}) {
        const Outcome run = judged(plugin("DRAFTS"), property);
        EXPECT_EQ(run.code, 0) << run.out << run.err;
    }
}

TEST(Tree, WhoseSiblingsSeeEachOtherIsCaught) {
    const Outcome run = judged(plugin("DRAFTS_SEES_SIBLINGS"), "branches_do_not_mix");
    EXPECT_EQ(run.code, 1) << run.out << run.err;
    EXPECT_THAT(run.out, testing::HasSubstr("2 tokens, 1 command"));
}

TEST(Tree, ReachesAProgramWithItsParents) {
    const Outcome right = judged(serving + plugin("DRAFTS"), "branches_do_not_mix");
    EXPECT_EQ(right.code, 0) << right.out << right.err;
    const Outcome wrong = judged(serving + plugin("DRAFTS_SEES_SIBLINGS"), "branches_do_not_mix");
    EXPECT_EQ(wrong.code, 1) << wrong.out << wrong.err;
}

}  // namespace
}  // namespace kvcheck
