// SPDX-License-Identifier: Apache-2.0
// Several processes find what one finds; one that is lost is told, and none outlives the run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>

#include "model/case_file.hpp"
#include "tests/cli/child.hpp"

namespace kvcheck {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

/// What a run says, without how long it took.
std::string said(const Outcome& outcome) {
    return std::regex_replace(outcome.out, std::regex("[0-9.]+ s\n$"), "");
}

Outcome run_with(const std::string& jobs, const std::vector<std::string>& more,
                 const TemporaryFolder& folder) {
    std::vector<std::string> words = {"run", "--seed",  "x",      "--cases",
                                      "5",   "--quick", "--jobs", jobs};
    words.insert(words.end(), more.begin(), more.end());
    return kvcheck_with(words, folder.path());
}

std::vector<std::string> names_in(const std::string& folder) {
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error))
        names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
}

TEST(Jobs, OneAndThreeSayTheSame) {
    for (const std::vector<std::string>& subject :
         {std::vector<std::string>{"--subject", "plain"},
          {"--subject", "mutant:chunk_local_mask"},
          {"--subject", "mutant:additive_padding_mask", "--fail-fast"},
          {"--subject",
           std::string("exec:") + KVCHECK_PROGRAM + " serve mutant:restarted_positions",
           "--gtest_filter=*attention-small_worlds*"}}) {
        const TemporaryFolder one;
        const TemporaryFolder three;
        const Outcome alone = run_with("1", subject, one);
        const Outcome together = run_with("3", subject, three);
        EXPECT_EQ(said(together), said(alone));
        EXPECT_EQ(together.code, alone.code);
        EXPECT_EQ(together.err, alone.err);
        const auto files = names_in(one.file("counterexamples"));
        EXPECT_EQ(names_in(three.file("counterexamples")), files);
        for (const std::string& file : files) {
            EXPECT_EQ(read_text_file(three.file("counterexamples/" + file)),
                      read_text_file(one.file("counterexamples/" + file)));
        }
    }
}

TEST(Jobs, AreANumber) {
    for (const std::string jobs : {"0", "-1", "x", "65"}) {
        const Outcome outcome = kvcheck_with({"run", "--jobs=" + jobs});
        EXPECT_EQ(outcome.code, 2) << jobs;
        EXPECT_THAT(outcome.err, HasSubstr("--jobs"));
    }
}

/// Runs a line of bash with a run of two workers in the background, whose number is in RUN.
Outcome with_a_run(const std::string& arguments, const std::string& line,
                   const TemporaryFolder& folder) {
    const std::string script = folder.write(
        "script", "cd '" + folder.path() + "'\n'" KVCHECK_PROGRAM "' run --jobs 2 " + arguments +
                      " >out 2>err & RUN=$!\nworkers() { cat /proc/$RUN/task/$RUN/children; }\n"
                      "until [ $(workers | wc -w) -ge 2 ]; do sleep 0.05; done\n" +
                      line + "\n");
    const int status = std::system(("bash '" + script + "' 2>/dev/null").c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_text_file(folder.file("out")),
            read_text_file(folder.file("err"))};
}

const std::string endless = "--cases 1000000 --time 60s --corpus none --property rows_normalise";

TEST(Workers, OneThatIsKilledMakesTheRunDistrusted) {
    const TemporaryFolder folder;
    const Outcome run = with_a_run("--cases 600 --property rows_normalise",
                                   "set -- $(workers); kill -KILL $1; wait $RUN", folder);
    EXPECT_EQ(run.code, 3) << run.out << run.err;
    EXPECT_THAT(run.out, ContainsRegex("distrusted rows_normalise .* could not be judged: worker "
                                       "[12] ended by signal 9 [(]Killed[)] before it had "
                                       "reported"));
}

TEST(Workers, OneThatIsKilledLeavesNoFolder) {
    const TemporaryFolder folder;
    const std::string own = folder.file("own");
    fs::create_directory(own);
    setenv("TMPDIR", own.c_str(), 1);
    const Outcome run = with_a_run(
        "--cases 600 --corpus none --property rows_normalise --subject "
        "'exec:" KVCHECK_PROGRAM " serve plain'",
        "sleep 1; set -- $(workers); kill -KILL ${!#}; wait $RUN; code=$?\n"
        "for n in $(seq 100); do\n"
        "  [ -z \"$(ls own)\" ] && break; sleep 0.05\n"
        "done; ls own >>out; exit $code",
        folder);
    unsetenv("TMPDIR");
    EXPECT_EQ(run.code, 3) << run.out;
    EXPECT_EQ(names_in(own), std::vector<std::string>());
}

TEST(Workers, AllEndWithAnInterruptedRun) {
    const TemporaryFolder folder;
    const Outcome run =
        with_a_run(endless,
                   "W=$(workers); sleep 0.2; kill -TERM $RUN; wait $RUN; code=$?\n"
                   "for w in $W; do grep -q . /proc/$w/cmdline && exit 99; done; exit $code",
                   folder);
    EXPECT_EQ(run.code, 143) << run.err;
    EXPECT_EQ(run.err, "\nkvcheck: interrupted; what was saved so far stays\n");
    EXPECT_FALSE(fs::exists(folder.file("counterexamples")));
}

TEST(Workers, EndWhereTheRunIsKilled) {
    const TemporaryFolder folder;
    const Outcome run =
        with_a_run(endless,
                   "W=$(workers); kill -KILL $RUN; wait $RUN; sleep 1\n"
                   "for w in $W; do grep -q . /proc/$w/cmdline && exit 99; done; exit 0",
                   folder);
    EXPECT_EQ(run.code, 0);
}

TEST(Workers, BelieveNoProcessThatDeclaresOtherwiseThanTheFirst) {
    // From the second process on it would be judged by a bound that permits anything.
    const TemporaryFolder folder;
    const std::string child = folder.write("child", R"sh(
n=$(cat "$MARK" 2>/dev/null || echo 0); echo $((n + 1)) >"$MARK"
read -r l
[ $n = 0 ] && p= || p=',"profile":{"score_input_error":0.5}'
echo '{"done":{"protocol":1,"name":"x","features":["attention"]'"$p"'}}'
read -r l
exit 0
)sh");
    const Outcome run =
        kvcheck_with({"run", "--jobs", "2", "--cases", "3", "--seed", "x", "--corpus", "none",
                      "--property", "outputs_match_the_oracle", "--subject",
                      "exec:MARK=" + folder.file("mark") + " sh " + child},
                     folder.path());
    EXPECT_EQ(run.code, 1) << run.out;
    EXPECT_THAT(run.out, HasSubstr("crashed: open: started again: it declares another numeric "
                                   "profile than at first"));
}

TEST(Workers, HaveAFileEachForTheRunningCase) {
    const TemporaryFolder folder;
    const Outcome run =
        with_a_run(endless + " --subject 'exec:" KVCHECK_PROGRAM " serve plain'",
                   "for n in $(seq 100); do\n"
                   "  sleep 0.05; ls counterexamples >>seen 2>/dev/null\n"
                   "  grep -q case-1.json$ seen && grep -q case-2.json$ seen && break\n"
                   "done; kill -TERM $RUN; wait $RUN; cat seen >>out; ls counterexamples",
                   folder);
    EXPECT_THAT(run.out, HasSubstr("current-case-1.json\n"));
    EXPECT_THAT(run.out, HasSubstr("current-case-2.json\n"));
    EXPECT_FALSE(fs::exists(folder.file("counterexamples")));
}

}  // namespace
}  // namespace kvcheck
