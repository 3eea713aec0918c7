// SPDX-License-Identifier: Apache-2.0
// What foreign code finds around it and leaves there: a folder of its own, a stack that ends, and
// nothing of it alive after the run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

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

#ifdef __SSE__
TEST(FloatEnvironment, ThatASubjectChangesIsItsFaultAndChangesNoOtherVerdict) {
    for (const std::string where : {"--in-process", "--memory-limit=0"}) {
        SCOPED_TRACE(where);
        const TemporaryFolder folder;
        const Outcome fault =
            kvcheck_with({"run", "--subject", plugin("FLUSHES"), "--quick", "--seed", "x", where,
                          "--property", "buffers_are_respected"},
                         folder.path());
        EXPECT_EQ(fault.code, 1) << fault.out << fault.err;
        EXPECT_THAT(fault.out, HasSubstr("append changed that subnormal numbers are taken for "
                                         "zero, which belongs to its caller"));
        const Outcome other =
            kvcheck_with({"run", "--subject", plugin("FLUSHES"), "--quick", "--seed", "x", where,
                          "--property", "outputs_match_the_oracle"},
                         folder.path());
        EXPECT_EQ(other.code, 0) << other.out << other.err;
    }
}
#endif

std::vector<std::string> names_in(const std::string& folder) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        names.push_back(entry.path().filename());
    }
    return names;
}

TEST(OwnFolder, IsWhereAChildStartsAndGoesWithIt) {
    const TemporaryFolder folder;
    const TemporaryFolder temporary;
    const Outcome run = kvcheck_with({"run", "--subject", plugin("LITTERS"), "--cases", "3",
                                      "--property", "outputs_match_the_oracle"},
                                     folder.path(), {"TMPDIR=" + temporary.path()});
    EXPECT_EQ(run.code, 0) << run.out << run.err;
    for (const std::string& name : names_in(folder.path())) EXPECT_EQ(name, "counterexamples");
    EXPECT_THAT(names_in(temporary.path()), testing::IsEmpty());
}

TEST(OwnFolder, PathsAreThoseOfWhereTheyWereTyped) {
    const TemporaryFolder folder;
    std::filesystem::copy_file(plugin("attention"), folder.file("lib.so"));
    folder.write("child.sh", "exec '" KVCHECK_PROGRAM "' serve \"$1\"\n");
    for (const std::string subject :
         {"./lib.so", "lib.so", "exec:" KVCHECK_PROGRAM " serve ./lib.so",
          "exec:sh child.sh lib.so", "exec:cd \"$OLDPWD\"; " KVCHECK_PROGRAM " serve ./lib.so"}) {
        const Outcome run = kvcheck_with(
            {"run", "--subject", subject, "--cases", "2", "--property", "outputs_match_the_oracle"},
            folder.path());
        EXPECT_EQ(run.code, 0) << subject << run.out << run.err;
    }
}

TEST(OwnFolder, ThatCannotBeMadeIsBadInput) {
    const Outcome run =
        kvcheck_with({"run", "--subject", plugin("attention")}, "", {"TMPDIR=/none"});
    EXPECT_EQ(run.code, 2);
    EXPECT_THAT(run.err, HasSubstr("/none: found No such file or directory"));
}

/// Processes whose command line is this, with spaces for zeros.
int processes_with(const std::string& words) {
    int count = 0;
    for (const std::string& name : names_in("/proc")) {
        std::ifstream file("/proc/" + name + "/cmdline");
        std::string line;
        std::getline(file, line);
        std::replace(line.begin(), line.end(), '\0', ' ');
        count += line == words + " " ? 1 : 0;
    }
    return count;
}

TEST(Strays, ThatLeaveTheProcessGroupEndWithTheRun) {
    const TemporaryFolder folder;
    const Outcome run = kvcheck_with({"run", "--subject", plugin("LEAVES_THE_GROUP"), "--cases",
                                      "20", "--property", "outputs_match_the_oracle"},
                                     folder.path());
    EXPECT_EQ(run.code, 0) << run.out << run.err;
    EXPECT_EQ(processes_with("sleep 77.7"), 0);
}

}  // namespace
}  // namespace kvcheck
