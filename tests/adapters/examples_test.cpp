// SPDX-License-Identifier: Apache-2.0
// The examples hold through every door, and a case saved through one door is judged through
// another. A language that is not installed is skipped.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "model/case_file.hpp"
#include "tests/cli/child.hpp"

namespace kvcheck {
namespace {

const std::string examples = KVCHECK_SOURCE "/examples";
const std::string library = KVCHECK_PLUGINS "/attention.so";

bool is_installed(const std::string& program) {
    return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
}

/// An example that takes resets of all rows and no other command, and one that takes all of them.
constexpr const char* without_commands = "15 properties held, 0 failed, 17 skipped";
constexpr const char* with_commands = "23 properties held, 0 failed, 11 skipped";

void expect_holds(const std::string& subject, const std::string& cases,
                  const std::string& outcome) {
    const TemporaryFolder folder;
    const Outcome run = kvcheck_with(
        {"run", "--subject", subject, "--quick", "--seed", "examples", "--cases", cases},
        folder.path());
    EXPECT_EQ(run.code, 0) << run.out << run.err;
    EXPECT_THAT(run.out, testing::HasSubstr(outcome));
}

TEST(Examples, InCHoldsInAChildAndInThisProcess) {
    expect_holds(library, "20", "20 properties held, 0 failed, 14 skipped");
    const TemporaryFolder folder;
    const Outcome run =
        kvcheck_with({"run", "--subject", library, "--in-process", "--quick", "--seed", "examples"},
                     folder.path());
    EXPECT_EQ(run.code, 0) << run.out << run.err;
}

TEST(Examples, InCThatSavesHoldsInAChildAndInThisProcess) {
    const TemporaryFolder folder;
    for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--in-process"}}) {
        std::vector<std::string> words = {"run",     "--subject", KVCHECK_PLUGINS "/saving.so",
                                          "--quick", "--seed",    "examples"};
        words.insert(words.end(), more.begin(), more.end());
        const Outcome run = kvcheck_with(words, folder.path());
        EXPECT_EQ(run.code, 0) << run.out << run.err;
        EXPECT_THAT(run.out, testing::HasSubstr("22 properties held, 0 failed, 12 skipped"));
    }
}

TEST(ExitCode, IsZeroWhereAFilterLeavesOnlyWhatIsSkipped) {
    // A part that GoogleTest chose is one of many, and a skipped part is no wrong one.
    const TemporaryFolder folder;
    const Outcome run =
        kvcheck_with({"run", "--subject", library, "--quick", "--cases", "1", "--seed", "skipped",
                      "--gtest_filter=weights_match_the_oracle.*"},
                     folder.path());
    EXPECT_EQ(run.code, 0) << run.out << run.err;
    EXPECT_THAT(run.out, testing::HasSubstr("0 properties held, 0 failed, 1 skipped"));
    // What gtest_discover_tests looks for.
    EXPECT_THAT(run.out, testing::HasSubstr(
                             "\n[  SKIPPED ] weights_match_the_oracle.c_example/attention\n"));
}

TEST(Examples, InPythonHolds) {
    if (!is_installed("python3")) GTEST_SKIP() << "no python3";
    expect_holds("exec:python3 " + examples + "/python/attention.py", "20", without_commands);
}

TEST(Examples, InJavaScriptHolds) {
    if (!is_installed("node")) GTEST_SKIP() << "no node";
    expect_holds("exec:node " + examples + "/node/attention.mjs", "20", without_commands);
}

TEST(Examples, InPythonWithTheNumPyHelperHolds) {
    if (std::system("python3 -c 'import numpy' >/dev/null 2>&1") != 0) GTEST_SKIP() << "no numpy";
    expect_holds("exec:python3 " + examples + "/python/attention_numpy.py", "20", with_commands);
}

TEST(Examples, InJavaScriptWithTheHelperHolds) {
    if (!is_installed("node")) GTEST_SKIP() << "no node";
    expect_holds("exec:node " + examples + "/node/attention_kernel.mjs", "20", with_commands);
}

/// The Python example, with some of its text replaced, as a subject.
std::string changed_python(const TemporaryFolder& folder, const std::string& from,
                           const std::string& to) {
    std::string text = read_text_file(examples + "/python/attention.py");
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    return "exec:python3 " + folder.write("mine.py", text);
}

TEST(Limits, ASubjectThatTrustsItsCallersIsGivenNoWrongCall) {
    if (!is_installed("python3")) GTEST_SKIP() << "no python3";
    const TemporaryFolder folder;
    const std::string check = "n + len(row) > s[\"capacity\"]";
    const std::string subject = changed_python(folder, check, "False");
    const std::vector<std::string> run = {"run", "--quick", "--subject", subject,
                                          "--gtest_filter=wrong_call_is_refused.*"};
    const Outcome silent = kvcheck_with(run, folder.path());
    EXPECT_EQ(silent.code, 1) << silent.out << silent.err;
    EXPECT_THAT(silent.out, testing::HasSubstr("accepted, must be refused"));

    std::string text = read_text_file(folder.file("mine.py"));
    text.replace(text.find("attention batch"), 9, "attention trusts_callers");
    folder.write("mine.py", text);
    const Outcome said = kvcheck_with(run, folder.path());
    EXPECT_EQ(said.code, 0) << said.out << said.err;
    EXPECT_THAT(line_with(said.out, "wrong_call_is_refused"), testing::HasSubstr("no validates"));
    EXPECT_THAT(line_with(said.out, "not exercised, the subject lacks it"),
                testing::HasSubstr("validates"));
}

/// The example with a helper with more words in its features: its cache has no end.
std::string helped_that_declares(const std::string& words, const TemporaryFolder& folder) {
    std::string text = read_text_file(examples + "/node/attention_kernel.mjs");
    text.replace(text.find("attention batch"), 9, "attention " + words);
    folder.write("kvcheck.mjs", read_text_file(examples + "/node/kvcheck.mjs"));
    return "exec:node " + folder.write("mine.mjs", text);
}

TEST(Capacity, IsJudgedAsItIsDeclared) {
    if (!is_installed("node")) GTEST_SKIP() << "no node";
    const auto run = [](const std::string& words, const TemporaryFolder& folder) {
        return kvcheck_with({"run", "--cases", "12", "--corpus", "none", "--seed", "x", "--subject",
                             helped_that_declares(words, folder),
                             "--gtest_filter=wrong_call_is_refused.*:capacity_is*"},
                            folder.path());
    };
    const TemporaryFolder folder;
    const Outcome unbounded = run("capacity_unbounded", folder);
    EXPECT_EQ(unbounded.code, 0) << unbounded.out << unbounded.err;
    EXPECT_THAT(line_with(unbounded.out, "capacity_is_as_declared"), testing::HasSubstr("passed"));

    const Outcome evicted = run("capacity_evicted", folder);
    EXPECT_EQ(evicted.code, 1) << evicted.out << evicted.err;
    EXPECT_THAT(line_with(evicted.out, "capacity_is_as_declared"), testing::HasSubstr("FAILED"))
        << "it hides nothing";

    const Outcome refused = run("", folder);
    EXPECT_EQ(refused.code, 0) << refused.out << refused.err;
    EXPECT_THAT(refused.out, testing::Not(testing::HasSubstr("capacity_is_as_declared")));

    const Outcome both = run("capacity_unbounded capacity_evicted", folder);
    EXPECT_EQ(both.code, 2) << both.out << both.err;
    EXPECT_THAT(both.err, testing::HasSubstr("capacity_unbounded and capacity_evicted"));
}

TEST(Serve, MakesABuiltInSubjectAChildThatHolds) {
    const TemporaryFolder folder;
    const Outcome run = kvcheck_with({"run", "--subject", "exec:" KVCHECK_PROGRAM " serve plain",
                                      "--quick", "--cases", "10", "--seed", "serve"},
                                     folder.path());
    EXPECT_EQ(run.code, 0) << run.out << run.err;
}

TEST(Doors, ACaseSavedThroughOneReplaysThroughAnother) {
    const TemporaryFolder folder;
    const std::string child = "exec:" KVCHECK_PROGRAM " serve mutant:chunk_local_mask";
    const Outcome run = kvcheck_with(
        {"run", "--subject", child, "--fail-fast", "--seed", "doors", "--corpus", "none"},
        folder.path());
    EXPECT_EQ(run.code, 1) << run.out << run.err;
    std::string saved;
    for (const auto& entry : std::filesystem::directory_iterator(folder.file("counterexamples"))) {
        saved = entry.path();
    }
    ASSERT_NE(saved, "");
    EXPECT_EQ(kvcheck_with({"replay", saved, "--subject", child}).code, 1);
    EXPECT_EQ(kvcheck_with({"replay", saved, "--subject", "mutant:chunk_local_mask"}).code, 1);
    EXPECT_EQ(kvcheck_with({"replay", saved, "--subject", library}).code, 0);
}

TEST(Handshake, ThatFailsIsBadInput) {
    for (const std::string command : {"exec:true", "exec:echo hello", "exec:no_such_program_at_all",
                                      "exec:echo '{\"done\":{\"protocol\":2}}'"}) {
        const Outcome run = kvcheck_with({"run", "--subject", command});
        EXPECT_EQ(run.code, 2) << command << run.out << run.err;
        EXPECT_THAT(run.err, testing::HasSubstr(command));
    }
    EXPECT_EQ(kvcheck_with({"run", "--subject", "/etc/passwd"}).code, 2);
}

}  // namespace
}  // namespace kvcheck
