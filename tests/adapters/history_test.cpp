// SPDX-License-Identifier: Apache-2.0
// What a run reports as a failure fails in a new process, too; a fault that needs the calls before
// it is called so, and nobody is sent to a replay that holds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/adapters/plugins.hpp"
#include "tests/cli/child.hpp"

namespace kvcheck {
namespace {

using testing::HasSubstr;
using testing::Not;

struct Found {
    Outcome run;
    std::string saved;
};

Found found_in(const std::string& name, const TemporaryFolder& folder) {
    Found found;
    found.run = kvcheck_with({"run", "--jobs", "1", "--subject", plugin(name), "--seed", "x",
                              "--corpus", "none", "--property", "outputs_match_the_oracle"},
                             folder.path(), plain_signals);
    for (const auto& entry : std::filesystem::directory_iterator(folder.file("counterexamples"))) {
        found.saved = entry.path();
    }
    return found;
}

TEST(History, AFaultOfTwoCallsReplays) {
    const TemporaryFolder folder;
    const Found found = found_in("WRITES_LATE", folder);
    EXPECT_EQ(found.run.code, 1) << found.run.out << found.run.err;
    EXPECT_THAT(found.run.out, Not(HasSubstr("depends on earlier calls")));
    ASSERT_NE(found.saved, "");
    const Outcome again = kvcheck_with({"replay", found.saved, "--subject", plugin("WRITES_LATE")});
    EXPECT_EQ(again.code, 1) << again.out;
}

TEST(History, AFaultOfManySessionsSaysSoAndOffersNoReplay) {
    const TemporaryFolder folder;
    const Found found = found_in("TIRES", folder);
    EXPECT_EQ(found.run.code, 1) << found.run.out << found.run.err;
    EXPECT_THAT(found.run.out, HasSubstr("FAILED     outputs_match_the_oracle"));
    EXPECT_THAT(found.run.out, HasSubstr("depends on earlier calls: command "));
    EXPECT_THAT(found.run.out, HasSubstr("saved    counterexamples/"));
    EXPECT_THAT(found.run.out, Not(HasSubstr("kvcheck replay")));
    const Outcome again = kvcheck_with({"replay", found.saved, "--subject", plugin("TIRES")});
    EXPECT_EQ(again.code, 0) << again.out;
}

TEST(History, AnEndAtTheNthCallIsToldOnceAndNeverAsAnOrdinaryFailure) {
    const TemporaryFolder folder;
    const Outcome run =
        kvcheck_with({"run", "--jobs", "1", "--cases", "6", "--subject", plugin("EXITS_LATE"),
                      "--seed", "w", "--corpus", "none",
                      "--gtest_filter=future*attention:rows_do_not*attention:same_call*attention"},
                     folder.path(), plain_signals);
    EXPECT_EQ(run.code, 1) << run.out << run.err;
    int told = 0;
    int referred = 0;
    for (const std::string& line : lines_of(run.out)) {
        told += line.find("it exited with code 3") != std::string::npos ? 1 : 0;
        if (line.find("FAILED ") == std::string::npos || line.find("shrunk in") != line.npos)
            continue;
        ++referred;
        EXPECT_THAT(line,
                    testing::ContainsRegex("(not every time|depends on earlier calls): crash, "
                                           "as [a-z_]+ attention"));
    }
    EXPECT_EQ(told, 1) << run.out;
    EXPECT_GT(referred, 0) << run.out;
    EXPECT_THAT(run.out, testing::ContainsRegex("(not every time|depends on earlier calls): "));
    const std::filesystem::directory_iterator files(folder.file("counterexamples"));
    EXPECT_LE(std::distance(begin(files), end(files)), 2)
        << "one for what is told, one at most for what was found before it";
}

TEST(History, AHangThatNeedsEarlierCallsSaysSoAndOffersNoReplay) {
    const TemporaryFolder folder;
    const Outcome run = kvcheck_with(
        {"run", "--jobs", "1", "--subject", plugin("HANGS_LATE"), "--call-timeout", "1s", "--seed",
         "x", "--corpus", "none", "--gtest_filter=outputs_match_the_oracle.*attention"},
        folder.path(), plain_signals);
    EXPECT_EQ(run.code, 1) << run.out << run.err;
    EXPECT_THAT(run.out, HasSubstr("depends on earlier calls: "));
    EXPECT_THAT(run.out, HasSubstr("no answer within 1000 ms"));
    EXPECT_THAT(run.out, Not(HasSubstr("kvcheck replay")));
}

TEST(Hang, OneIsWaitedForInACaseThatOpensManySessions) {
    const TemporaryFolder folder;
    const std::vector<std::string> mark = {"MARK=" + folder.file("mark")};
    const std::vector<std::string> subject = {"--subject", plugin("COUNTS_ITS_HANGS"),
                                              "--call-timeout", "300ms"};
    std::vector<std::string> run = {"run",  "--fail-fast", "--corpus",
                                    "none", "--property",  "buffers_are_respected"};
    run.insert(run.end(), subject.begin(), subject.end());
    EXPECT_EQ(kvcheck_with(run, folder.path(), mark).code, 1);
    std::string saved;
    for (const auto& entry : std::filesystem::directory_iterator(folder.file("counterexamples"))) {
        saved = entry.path();
    }
    ASSERT_NE(saved, "");
    std::filesystem::remove(folder.file("mark"));
    std::vector<std::string> replay = {"replay", saved};
    replay.insert(replay.end(), subject.begin(), subject.end());
    const Outcome again = kvcheck_with(replay, folder.path(), mark);
    EXPECT_EQ(again.code, 1) << again.out << again.err;
    EXPECT_THAT(again.out, HasSubstr("no answer within 300 ms"));
    EXPECT_EQ(std::filesystem::file_size(folder.file("mark")), 1U) << "hangs";
}

TEST(Kill, ThatDoesNotComeAgainIsNobodysFault) {
    for (const std::string property : {"outputs_match_the_oracle", "small_worlds"}) {
        const TemporaryFolder folder;
        const Outcome run =
            kvcheck_with({"run", "--subject", plugin("KILLED_ONCE"), "--quick", "--seed", "x",
                          "--corpus", "none", "--property", property},
                         folder.path(), {"MARK=" + folder.file("mark")});
        EXPECT_EQ(run.code, 3) << run.out << run.err;
        EXPECT_THAT(run.out, HasSubstr("distrusted " + property));
        EXPECT_THAT(run.out, HasSubstr("killed once by somebody else: append"));
        EXPECT_THAT(run.out, HasSubstr("signal 9 (Killed)"));
        EXPECT_FALSE(std::filesystem::exists(folder.file("counterexamples/current-case.json")));
    }
}

TEST(Kill, ThatComesEachTimeIsTheSubjectsFault) {
    const TemporaryFolder folder;
    const Found found = found_in("KILLED_ALWAYS", folder);
    EXPECT_EQ(found.run.code, 1) << found.run.out << found.run.err;
    EXPECT_THAT(found.run.out, HasSubstr("crashed: "));
    EXPECT_THAT(found.run.out, HasSubstr("signal 9 (Killed)"));
}

}  // namespace
}  // namespace kvcheck
