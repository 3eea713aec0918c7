// SPDX-License-Identifier: Apache-2.0
// Plug-ins that crash, hang, exit, flood, write where they must not and answer nonsense: each gets
// the verdict that names what it did, with a saved case that replays, and the run ends by itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/adapters/plugins.hpp"
#include "tests/cli/child.hpp"

namespace kvcheck {
namespace {

struct Beast {
    const char* name;
    const char* property;
    const char* verdict;  // a part of what is printed
};

std::ostream& operator<<(std::ostream& out, const Beast& beast) { return out << beast.name; }

class Zoo : public testing::TestWithParam<Beast> {
protected:
    std::string library() const {
        return std::string(KVCHECK_PLUGINS) + "/" + GetParam().name + ".so";
    }
};

TEST_P(Zoo, GetsTheVerdictThatNamesItAndACaseThatReplays) {
    const TemporaryFolder folder;
    const Outcome run =
        kvcheck_with({"run", "--subject", library(), "--property", GetParam().property, "--seed",
                      "zoo", "--cases", "40", "--corpus", "none", "--memory-limit", "256MiB"},
                     folder.path(), plain_signals);
    EXPECT_EQ(run.code, 1) << run.out << run.err;
    EXPECT_THAT(run.out, testing::HasSubstr(GetParam().verdict));
    EXPECT_THAT(run.out, testing::HasSubstr("FAILED"));

    std::string saved;
    for (const auto& entry : std::filesystem::directory_iterator(folder.file("counterexamples"))) {
        saved = entry.path();
        EXPECT_EQ(entry.path().extension(), ".json") << "left behind: " << saved;
        EXPECT_NE(entry.path().filename(), "current-case.json");
    }
    ASSERT_NE(saved, "");
    const Outcome again =
        kvcheck_with({"replay", saved, "--subject", library(), "--memory-limit", "256MiB"},
                     folder.path(), plain_signals);
    EXPECT_EQ(again.code, 1) << again.out << again.err;
    const Outcome honest = kvcheck_with({"replay", saved}, folder.path());
    EXPECT_EQ(honest.code, 0) << honest.out << honest.err;
}

TEST(Declared, WhatNoCaseCouldTryIsAFailure) {
    const TemporaryFolder folder;
    const std::string library = std::string(KVCHECK_PLUGINS) + "/BOASTS.so";
    const std::string words =
        "declared but never exercised: learned_positions; learned_positions needs layer\n";
    const Outcome run =
        kvcheck_with({"run", "--subject", library, "--quick", "--in-process"}, folder.path());
    EXPECT_EQ(run.code, 1) << run.out << run.err;
    EXPECT_THAT(run.out, testing::HasSubstr("FAILED     " + words));
    EXPECT_THAT(run.out, testing::HasSubstr(" properties held, 0 failed"));
    const Outcome few = kvcheck_with(
        {"run", "--subject", library, "--in-process", "--quick", "--cases", "1"}, folder.path());
    EXPECT_EQ(few.code, 3) << few.out << few.err;
    EXPECT_THAT(few.out, testing::HasSubstr("distrusted " + words));
}

TEST(Hangs, ThreeAreEnough) {
    const TemporaryFolder folder;
    const std::string library = std::string(KVCHECK_PLUGINS) + "/LOOP.so";
    const Outcome run = kvcheck_with(
        {"run", "--subject", library, "--call-timeout", "300ms", "--seed", "x", "--corpus", "none"},
        folder.path());
    EXPECT_EQ(run.code, 1) << run.out << run.err;
    EXPECT_THAT(run.out, testing::HasSubstr("no answer within 300 ms"));
    EXPECT_THAT(run.out, testing::HasSubstr("not exercised: the subject hung three times"));
    EXPECT_THAT(run.out, testing::HasSubstr("0 properties held, 3 failed, " +
                                            std::to_string(skipped_in(run).size()) + " skipped"));
}

TEST(LastWords, OfAProgramThatDiesAreTold) {
    const Outcome run =
        kvcheck_with({"run", "--subject",
                      "exec:read l; echo $((40 + 2)) >&2; echo 'no such weight file' >&2; exit 7"});
    EXPECT_EQ(run.code, 2);
    EXPECT_THAT(run.err, testing::HasSubstr("it exited with code 7; its last words: no such weight "
                                            "file"));
    EXPECT_THAT(run.err, testing::Not(testing::HasSubstr("42")));
}

TEST(InProcess, ASubjectThatExitsIsAFailureAndLeavesItsCase) {
    const TemporaryFolder folder;
    const std::string library = std::string(KVCHECK_PLUGINS) + "/EXIT.so";
    const Outcome run =
        kvcheck_with({"run", "--subject", library, "--in-process", "--seed", "x"}, folder.path());
    EXPECT_EQ(run.code, 1) << run.out << run.err;
    EXPECT_THAT(run.err, testing::HasSubstr("the subject called exit in this process"));
    const std::string left = folder.file("counterexamples") + "/current-case.json";
    EXPECT_EQ(kvcheck_with({"replay", left, "--subject", library}).code, 1);
}

constexpr const char* outputs = "outputs_match_the_oracle";
constexpr const char* buffers = "buffers_are_respected";

INSTANTIATE_TEST_SUITE_P(
    All, Zoo,
    testing::Values(Beast{"SEGFAULT", outputs, "signal 11 (Segmentation fault)"},
                    Beast{"LOOP", outputs, "no answer within"},
                    Beast{"EXIT", outputs, "exited with code 0"},
                    Beast{"ABORT", outputs, "signal 6 (Aborted)"},
                    Beast{"THROW", outputs, "it threw: "},
                    Beast{"HOARD", outputs, "signal 11 (Segmentation fault)"},
                    Beast{"HOARD_SHARED", outputs, "holds more than 256 MiB of memory"},
                    Beast{"PAST_END", buffers, "wrote outside the elements of its outputs"},
                    Beast{"BEFORE_START", buffers, "it read or wrote past the beginning of output"},
                    Beast{"READS_PAST_END", outputs, "it read or wrote past the end of output"},
                    Beast{"READS_PAST_INPUT", buffers, "it read or wrote past the end of q"},
                    Beast{"FORGETS_LAST_ROW", buffers, "was never written"},
                    Beast{"CHANGES_INPUT", buffers, "changed one of its inputs"},
                    Beast{"WRONG_STATUS", outputs, "status 42"},
                    Beast{"NEGATIVE_LENGTH", "cache_grows_exactly", "length is -5"},
                    Beast{"GARBAGE", outputs, "it printed \"hello, world\" to standard output"},
                    Beast{"CLOSES_PIPE", outputs, "closed its standard output"},
                    Beast{"HALF_LINE", outputs, "exited with code 0"},
                    Beast{"EXPORTS_PAST_END", buffers, "export_kv wrote outside the arrays"},
                    Beast{"REFUSES_AND_WRITES", "wrong_call_is_refused",
                          "refused, but append wrote outside the elements of its outputs"}),
    [](const auto& test) { return std::string(test.param.name) + "_" + test.param.property; });

}  // namespace
}  // namespace kvcheck
