// SPDX-License-Identifier: Apache-2.0
// What foreign code finds around it and leaves there: a folder of its own, a stack that ends, and
// nothing of it alive after the run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/adapters/plugins.hpp"
#include "tests/cli/child.hpp"

namespace kvcheck {
namespace {

using testing::HasSubstr;

TEST(InProcess, AStackThatRanOutIsToldWithItsCase) {
    const TemporaryFolder folder;
    const Outcome run = kvcheck_with(
        {"run", "--subject", plugin("RECURSES"), "--in-process", "--seed", "x"}, folder.path());
    EXPECT_EQ(run.code, 128 + 11) << run.out << run.err;
    EXPECT_THAT(run.err, HasSubstr("the subject took this process down"));
    EXPECT_TRUE(std::filesystem::exists(folder.file("counterexamples/current-case.json")));
}

}  // namespace
}  // namespace kvcheck
