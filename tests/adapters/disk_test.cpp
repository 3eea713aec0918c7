// SPDX-License-Identifier: Apache-2.0
// Whatever the disk does, every test that ran reports, the finding is printed, and the exit code is
// that of the finding.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/adapters/plugins.hpp"
#include "tests/cli/child.hpp"

namespace kvcheck {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Disk, AFolderInPlaceOfTheRunningCaseLosesNoVerdict) {
    const TemporaryFolder folder;
    const Outcome run =
        kvcheck_with({"run", "--subject", plugin("HIDES_THE_CASE"), "--jobs", "1", "--quick",
                      "--seed", "x", "--corpus", "none", "--property", "outputs_match_the_oracle"},
                     folder.path());
    EXPECT_EQ(run.code, 1) << run.out << run.err;
    EXPECT_THAT(run.out, HasSubstr("FAILED     outputs_match_the_oracle"));
    EXPECT_THAT(run.out, HasSubstr("1 failed, 0 skipped, 0 distrusted, 0 not run"));
    EXPECT_THAT(run.err, HasSubstr("cannot rename counterexamples/current-case.json.part: "));
}

/// Folders for counterexamples into which nothing can be written.
void spoil(const TemporaryFolder& folder, const std::string& how) {
    if (how == "a file") folder.write("counterexamples", "in the way");
    if (how == "a loop")
        std::filesystem::create_symlink("counterexamples", folder.file("counterexamples"));
}

TEST(Disk, AWrongLibraryIsReportedWhereNothingCanBeSaved) {
    for (const std::string how : {"a file", "a loop"}) {
        SCOPED_TRACE(how);
        const TemporaryFolder folder;
        spoil(folder, how);
        const Outcome run =
            kvcheck_with({"run", "--subject", plugin("NEGATIVE_LENGTH"), "--quick", "--seed", "x",
                          "--corpus", "none", "--property", "cache_grows_exactly"},
                         folder.path());
        EXPECT_EQ(run.code, 1) << run.out << run.err;
        EXPECT_THAT(run.out, HasSubstr("FAILED     cache_grows_exactly"));
        EXPECT_THAT(run.out, HasSubstr("length is -5"));
        EXPECT_THAT(run.out, HasSubstr("not saved: cannot write counterexamples/"));
        EXPECT_THAT(run.err, HasSubstr("\"finding\""));
    }
}

TEST(Disk, ARightLibraryHoldsWhereNothingCanBeSavedAndTheTroubleIsToldOnce) {
    const TemporaryFolder folder;
    spoil(folder, "a file");
    const Outcome run =
        kvcheck_with({"run", "--subject", plugin("attention"), "--jobs", "1", "--cases", "3",
                      "--seed", "x", "--property", "outputs_match_the_oracle"},
                     folder.path());
    EXPECT_EQ(run.code, 0) << run.out << run.err;
    EXPECT_EQ(lines_of(run.err).size(), 1U) << run.err;
    EXPECT_THAT(run.err, HasSubstr("kvcheck: what fails cannot be saved in counterexamples: "));
}

}  // namespace
}  // namespace kvcheck
