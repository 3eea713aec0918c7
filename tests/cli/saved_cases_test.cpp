// SPDX-License-Identifier: Apache-2.0
// What a run replays before it draws anything, what it leaves on the disk, and what a time limit
// makes of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "model/case_file.hpp"
#include "tests/cli/child.hpp"

namespace kvcheck {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

const std::vector<std::string> failing = {
    "run", "--quick", "--fail-fast", "--seed", "one", "--subject", "mutant:chunk_local_mask"};

std::string replay_line(const Outcome& run) { return line_with(run.out, "replay "); }

TEST(SavedCases, OfTheLastRunComeFirst) {
    const TemporaryFolder folder;
    const Outcome first = kvcheck_with(failing, folder.path());
    EXPECT_THAT(first.out, HasSubstr("shrunk in"));
    const Outcome second = kvcheck_with({"run", "--quick", "--fail-fast", "--seed", "another",
                                         "--subject", "mutant:chunk_local_mask"},
                                        folder.path());
    EXPECT_EQ(second.code, 1);
    EXPECT_THAT(second.out, HasSubstr("saved case of 1 row, "));
    EXPECT_EQ(replay_line(second), replay_line(first));
    // Only of the subject that failed, and only where replaying is wanted.
    const Outcome other = kvcheck_with({"run", "--cases", "2", "--corpus", folder.path(), "--seed",
                                        "x", "--gtest_filter=*attention-small*"},
                                       folder.path());
    EXPECT_EQ(other.code, 0) << other.out;
    EXPECT_THAT(kvcheck_with({"run", "--quick", "--fail-fast", "--seed", "another", "--corpus",
                              "none", "--subject", "mutant:chunk_local_mask"},
                             folder.path())
                    .out,
                HasSubstr("shrunk in"));
}

TEST(SavedCases, ThatHoldNowAreCounted) {
    const TemporaryFolder folder;
    kvcheck_with(failing, folder.path());
    const std::string saved = fs::directory_iterator(folder.file("counterexamples"))->path();
    const std::string name = fs::path(saved).filename();
    const std::string property = name.substr(0, name.rfind('-'));
    const auto corpus_of = [&](const std::vector<std::string>& more) {
        std::vector<std::string> words = {"run", "--cases", "3", "--property", property};
        words.insert(words.end(), more.begin(), more.end());
        const std::string line = line_with(kvcheck_with(words, folder.path()).out, property + " ");
        const std::size_t place = line.find(" + ");
        return place == std::string::npos ? 0 : std::stoi(line.substr(place + 3));
    };
    const int shipped = corpus_of({});
    EXPECT_EQ(corpus_of({"--corpus", "counterexamples"}), shipped + 1);
    EXPECT_EQ(corpus_of({"--corpus", "none"}), 0);
}

TEST(SavedCases, ABrokenFileIsToldAndPassedOver) {
    const TemporaryFolder folder;
    fs::create_directory(folder.file("more"));
    const std::string broken = folder.write("more/broken.json", "{\"format\": ");
    const Outcome run = kvcheck_with(
        {"run", "--cases", "3", "--corpus", folder.file("more"), "--property", "rows_normalise"},
        folder.path());
    EXPECT_EQ(run.code, 0) << run.out;
    EXPECT_THAT(run.out, HasSubstr("2 properties held"));
    EXPECT_EQ(run.err, "kvcheck: " + broken +
                           ": found text that stops being JSON at byte 12, expected a JSON "
                           "document; it is passed over\n");
}

TEST(SavedCases, AreJudgedByAllWhereTheyNameNoPropertyAndToldWhereTheyNameAnother) {
    const TemporaryFolder folder;
    const std::string shipped =
        read_text_file(KVCHECK_SOURCE "/corpus/mask_from_chunk_local_indices.json");
    const std::string named = "\"property\": \"outputs_match_the_oracle\"";
    ASSERT_THAT(shipped, HasSubstr(named));
    const auto with = [&](const std::string& property) {
        std::string text = shipped;
        text.replace(text.find(named), named.size(), "\"property\": \"" + property + "\"");
        fs::create_directory(folder.file("more"));
        folder.write("more/case.json", text);
        return kvcheck_with({"run", "--cases", "1", "--seed", "x", "--subject",
                             "mutant:chunk_local_mask", "--property", "outputs_match_the_oracle",
                             "--gtest_filter=*attention", "--corpus", folder.file("more")},
                            folder.path());
    };
    for (const std::string property : {"", "small_worlds"}) {
        EXPECT_THAT(with(property).out, HasSubstr("saved case of 1 row")) << property;
    }
    const Outcome typo = with("outputs_match");
    EXPECT_THAT(typo.err, HasSubstr("case.json: no property is called outputs_match"));
    EXPECT_THAT(typo.out, Not(HasSubstr("saved case of")));
}

TEST(SaveFolder, ThatHoldsNothingIsNotLeftBehind) {
    const TemporaryFolder folder;
    const std::vector<std::string> run = {"run",
                                          "--cases",
                                          "2",
                                          "--property",
                                          "rows_normalise",
                                          "--subject",
                                          "exec:" KVCHECK_PROGRAM " serve plain"};
    EXPECT_EQ(kvcheck_with(run, folder.path()).code, 0);
    EXPECT_FALSE(fs::exists(folder.file("counterexamples")));
    fs::create_directory(folder.file("counterexamples"));
    EXPECT_EQ(kvcheck_with(run, folder.path()).code, 0);
    EXPECT_TRUE(fs::exists(folder.file("counterexamples"))) << "it was there before";
}

TEST(Time, ThatLeavesTooFewCasesIsDistrustedAndSaysHowMany) {
    const Outcome run =
        kvcheck_with({"run", "--time", "1ms", "--property", "rows_normalise", "--corpus", "none"});
    EXPECT_EQ(run.code, 3) << run.out;
    EXPECT_THAT(run.out, ContainsRegex("distrusted rows_normalise +attention +the time limit left "
                                       "[12] of 200 cases, at least 30 are needed"));
    EXPECT_THAT(run.out, Not(HasSubstr("nothing was checked")));
    const Outcome worlds =
        kvcheck_with({"run", "--time", "1ms", "--property", "small_worlds", "--corpus", "none"});
    EXPECT_EQ(worlds.code, 3) << worlds.out;
}

TEST(OneDiagnosis, IsToldInFullOnce) {
    const TemporaryFolder folder;
    const Outcome run = kvcheck_with({"run", "--quick", "--seed", "x", "--jobs", "2", "--subject",
                                      "mutant:chunk_local_mask", "--corpus", "none"},
                                     folder.path());
    EXPECT_EQ(run.code, 1);
    const std::string first = line_with(run.out, "outputs_match_the_oracle       attention");
    EXPECT_THAT(first, HasSubstr("shrunk in"));
    const std::string other = line_with(run.out, "outputs_match_the_oracle       layer");
    EXPECT_THAT(other, ContainsRegex("output, as outputs_match_the_oracle attention; "
                                     "counterexamples/outputs_match_the_oracle-[0-9a-f]+.json$"));
}

}  // namespace
}  // namespace kvcheck
