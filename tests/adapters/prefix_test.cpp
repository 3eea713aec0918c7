// SPDX-License-Identifier: Apache-2.0
// Prefixes through the C interface, and through the child protocol: a library that publishes
// them holds, and those whose keys lack something are caught.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/adapters/plugins.hpp"
#include "tests/cli/child.hpp"

namespace kvcheck {
namespace {

Outcome run_of(const std::string& subject, const std::string& property) {
    const TemporaryFolder folder;
    return kvcheck_with({"run", "--subject", subject, "--property", property, "--cases", "60",
                         "--seed", "prefixes", "--corpus", "none"},
                        folder.path());
}

TEST(Prefixes, OfALibraryAndOfAProgramAreJudged) {
    for (const std::string& door : {std::string(), serving}) {
        for (const std::string property : {"reuse_is_replay", "other_prefix_is_refused"}) {
            const Outcome run = run_of(door + plugin("PREFIXES"), property);
            EXPECT_EQ(run.code, 0) << door << property << run.out << run.err;
        }
        const Outcome any_revision =
            run_of(door + plugin("PREFIXES_OF_ANY_REVISION"), "other_prefix_is_refused");
        EXPECT_EQ(any_revision.code, 1) << any_revision.out << any_revision.err;
        EXPECT_THAT(any_revision.out, testing::HasSubstr("with another revision"));
        const Outcome any_session =
            run_of(door + plugin("PREFIXES_OF_ANY_SESSION"), "other_prefix_is_refused");
        EXPECT_EQ(any_session.code, 1) << any_session.out << any_session.err;
        EXPECT_THAT(any_session.out,
                    testing::HasSubstr("in an object of its own with the same spec"));
    }
}

}  // namespace
}  // namespace kvcheck
