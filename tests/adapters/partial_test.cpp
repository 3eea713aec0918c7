// SPDX-License-Identifier: Apache-2.0
// Log-sum-exps through the C interface, and through the child protocol: a subject that shows them
// holds, and one whose logarithms are of base 2 is caught, by itself and where parts are merged.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/adapters/plugins.hpp"
#include "tests/cli/child.hpp"

namespace kvcheck {
namespace {

int code_of(const std::string& subject, const std::string& property) {
    const TemporaryFolder folder;
    const Outcome run = kvcheck_with({"run", "--subject", subject, "--property", property,
                                      "--cases", "40", "--seed", "parts", "--corpus", "none"},
                                     folder.path());
    if (run.code > 1) ADD_FAILURE() << run.out << run.err;
    return run.code;
}

TEST(PartialAttention, OfALibraryAndOfAProgramIsJudged) {
    for (const std::string& door : {std::string(), serving}) {
        for (const std::string property : {"lse_matches_the_oracle", "parts_merge_to_the_whole"}) {
            EXPECT_EQ(code_of(door + plugin("SUMS"), property), 0) << door << property;
            EXPECT_EQ(code_of(door + plugin("SUMS_IN_BASE_2"), property), 1) << door << property;
        }
    }
}

}  // namespace
}  // namespace kvcheck
