// SPDX-License-Identifier: Apache-2.0
// From a failure to its file and back: what a run saves, a replay judges without any generator.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "impl/mutants/catalogue.hpp"
#include "model/case_file.hpp"
#include "model/types/json.hpp"
#include "tests/cli/child.hpp"

namespace kvcheck {
namespace {

using testing::HasSubstr;

/// What follows `label` on the line that begins with it.
std::string value_after(const std::string& text, const std::string& label) {
    for (const std::string& line : lines_of(text)) {
        const std::size_t begin = line.find_first_not_of(' ');
        if (begin == std::string::npos || line.compare(begin, label.size(), label) != 0) continue;
        return line.substr(line.find_first_not_of(' ', begin + label.size()));
    }
    return {};
}

std::vector<std::string> files_in(const std::string& folder) {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        files.push_back(entry.path().filename());
    }
    return files;
}

class EveryMutant : public testing::TestWithParam<std::string_view> {};

TEST_P(EveryMutant, IsSavedAndReplayed) {
    const TemporaryFolder folder;
    const std::string subject = "mutant:" + std::string(GetParam());
    const Outcome run =
        kvcheck_with({"run", "--subject", subject, "--fail-fast", "--seed", "1"}, folder.path());
    EXPECT_EQ(run.code, 1) << run.out << run.err;
    const std::string saved = value_after(run.out, "saved ");
    EXPECT_EQ(saved.rfind("counterexamples/", 0), 0U) << "the default folder: " << saved;
    EXPECT_EQ(files_in(folder.file("counterexamples")).size(), 1U) << "nothing else is left";
    EXPECT_EQ(value_after(run.out, "replay "),
              "kvcheck replay " + saved + " --subject '" + subject + "'");

    const Outcome broken = kvcheck_with({"replay", saved, "--subject", subject}, folder.path());
    EXPECT_EQ(broken.code, 1) << broken.out << broken.err;
    const Outcome sound = kvcheck_with({"replay", saved}, folder.path());
    EXPECT_EQ(sound.code, 0) << sound.out << sound.err;

    const CaseFile file = read_case_file(folder.file(saved));
    EXPECT_EQ(file.finding.subject, subject);
    EXPECT_EQ(file.finding.seed, "1");
    for (const std::string& part : {file.finding.property, file.finding.what}) {
        EXPECT_FALSE(part.empty());
        EXPECT_THAT(run.out, HasSubstr(part));
        EXPECT_THAT(broken.out, HasSubstr(part));
    }
    EXPECT_THAT(sound.out, HasSubstr("  passed     " + file.finding.property));
}

std::vector<std::string_view> mutant_names() {
    std::vector<std::string_view> names;
    for (const MutantEntry& entry : mutants()) names.push_back(entry.subject.name);
    return names;
}

INSTANTIATE_TEST_SUITE_P(Replay, EveryMutant, testing::ValuesIn(mutant_names()),
                         [](const auto& entry) { return std::string(entry.param); });

/// A saved case of one mutant, as JSON to be edited.
Json saved_case(const TemporaryFolder& folder) {
    const Outcome run =
        kvcheck_with({"run", "--quick", "--seed", "1", "--fail-fast", "--save", "s", "--subject",
                      "mutant:chunk_local_mask", "--property", "chunks_do_not_matter"},
                     folder.path());
    return Json::parse(read_text_file(folder.file(value_after(run.out, "saved "))));
}

TEST(Replay, AFileWithoutAPropertyIsJudgedByAll) {
    const TemporaryFolder folder;
    Json json = saved_case(folder);
    json.erase("finding");
    const std::string file = folder.write("bare.json", json.dump());
    const Outcome sound = kvcheck_with({"replay", file});
    EXPECT_EQ(sound.code, 0) << sound.out;
    EXPECT_THAT(sound.out, HasSubstr("  passed     outputs_match_the_oracle"));
    EXPECT_THAT(sound.out, HasSubstr("  passed     buffers_are_respected"));
    const Outcome broken = kvcheck_with({"replay", file, "--subject", "mutant:chunk_local_mask"});
    EXPECT_EQ(broken.code, 1) << broken.out;
    EXPECT_THAT(broken.out, HasSubstr("  FAILED     chunks_do_not_matter"));
}

TEST(Replay, WithoutASubjectSaysWhichOneFailed) {
    const TemporaryFolder folder;
    const std::string file = folder.write("case.json", saved_case(folder).dump());
    const std::string command = "kvcheck replay " + file + " --subject 'mutant:chunk_local_mask'";
    const Outcome silent = kvcheck_with({"replay", file});
    EXPECT_THAT(silent.out, HasSubstr("found    in mutant:chunk_local_mask, "));
    EXPECT_EQ(line_with(silent.out, "kvcheck replay"), command);
    for (const std::string subject : {"mutant:chunk_local_mask", "plain"}) {
        const Outcome typed = kvcheck_with({"replay", file, "--subject", subject});
        EXPECT_EQ(line_with(typed.out, "kvcheck replay"), "");
    }
}

TEST(Replay, AnUnknownPropertyIsNamed) {
    const TemporaryFolder folder;
    Json json = saved_case(folder);
    json["finding"]["property"] = "no_such";
    const std::string file = folder.write("unknown.json", json.dump());
    const Outcome outcome = kvcheck_with({"replay", file});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.err, "kvcheck: " + file +
                               ".finding.property: found \"no_such\", expected a property that "
                               "`kvcheck list` shows\n");
}

TEST(Replay, ACaseWithNothingToJudgeIsDistrusted) {
    const TemporaryFolder folder;
    Json json = saved_case(folder);
    json["program"] = Json::array();
    EXPECT_EQ(kvcheck_with({"replay", folder.write("idle.json", json.dump())}).code, 3);
}

TEST(Replay, ACorpusCaseThatFailsIsReportedByItsFile) {
    const TemporaryFolder folder;
    const TemporaryFolder corpus;
    const std::string file = corpus.write("old.json", saved_case(folder).dump());
    const std::vector<std::string> run = {
        "run", "--quick", "--property", "chunks_do_not_matter", "--corpus", corpus.path()};
    const Outcome sound = kvcheck_with(run);
    EXPECT_EQ(sound.code, 0) << sound.out;
    EXPECT_THAT(sound.out, HasSubstr(" of the corpus"));
    std::vector<std::string> mutant_run = run;
    mutant_run.insert(mutant_run.end(), {"--fail-fast", "--subject", "mutant:chunk_local_mask"});
    const Outcome broken = kvcheck_with(mutant_run);
    EXPECT_EQ(broken.code, 1);
    // As much as a random case shows.
    EXPECT_THAT(broken.out, HasSubstr("saved case of 1 row, 1 head, 2 tokens, "));
    EXPECT_THAT(broken.out, HasSubstr("as the query in slot 1 sees it"));
    EXPECT_EQ(value_after(broken.out, "file "), file);
    EXPECT_EQ(value_after(broken.out, "replay "),
              "kvcheck replay " + file + " --subject 'mutant:chunk_local_mask'");
}

TEST(Save, AFolderThatCannotBeIsToldBeforeAnythingRuns) {
    const TemporaryFolder folder;
    folder.write("file", "in the way");
    for (const std::string where : {"file/below", "file", "/proc/none"}) {
        const Outcome run = kvcheck_with({"run", "--quick", "--save", where}, folder.path());
        EXPECT_EQ(run.code, 2);
        EXPECT_EQ(run.out, "");
        EXPECT_EQ(run.err.rfind("kvcheck: --save: found " + where + ": ", 0), 0U) << run.err;
        EXPECT_EQ(lines_of(run.err).size(), 1U) << run.err;
    }
    EXPECT_EQ(files_in(folder.path()), std::vector<std::string>{"file"});
}

TEST(Save, ARunThatFindsNothingLeavesNothing) {
    const TemporaryFolder folder;
    const Outcome run = kvcheck_with(
        {"run", "--quick", "--property", "rows_normalise", "--save", "a/b"}, folder.path());
    EXPECT_EQ(run.code, 0) << run.out << run.err;
    EXPECT_EQ(files_in(folder.path()), std::vector<std::string>{});
}

TEST(Save, WhereTheDefaultFolderCannotBeNothingIsLost) {
    const TemporaryFolder folder;
    folder.write("counterexamples", "in the way");
    const Outcome run =
        kvcheck_with({"run", "--quick", "--fail-fast", "--subject", "mutant:additive_padding_mask",
                      "--property", "padding_is_invisible"},
                     folder.path());
    EXPECT_EQ(run.code, 1);
    EXPECT_THAT(run.out, HasSubstr("  FAILED     padding_is_invisible"));
    EXPECT_THAT(run.out,
                HasSubstr("not saved: cannot write counterexamples/padding_is_invisible-"));
    // On stderr are a line that came before the run, and the case.
    const std::string told = "kvcheck: what fails cannot be saved in counterexamples: ";
    EXPECT_EQ(run.err.rfind(told, 0), 0U) << run.err;
    const std::string saved = run.err.substr(run.err.find('\n') + 1);
    const std::string file = folder.write("rescued.json", saved);
    EXPECT_EQ(to_text(read_case_file(file)), saved);
    EXPECT_EQ(kvcheck_with({"replay", file, "--subject", "mutant:additive_padding_mask"}).code, 1);
    EXPECT_EQ(kvcheck_with({"replay", file}).code, 0);
}

/// Two tokens with equal scores in two calls: the second query must see both.
TEST(Verbose, ShowsKeysWeightsAndOutputsOfTheRow) {
    const TemporaryFolder folder;
    const Outcome run = kvcheck_with({"run", "--subject", "mutant:chunk_local_mask", "--fail-fast",
                                      "--seed", "5eed", "--property", "outputs_match_the_oracle"},
                                     folder.path());
    EXPECT_THAT(run.out, testing::HasSubstr("row 0 as the query in slot 1 sees it"));
    std::string saved;
    for (const auto& entry : std::filesystem::directory_iterator(folder.file("counterexamples"))) {
        saved = entry.path();
    }
    const std::vector<std::string> words = {"replay", saved, "--subject",
                                            "mutant:chunk_local_mask"};
    EXPECT_THAT(kvcheck_with(words).out, testing::Not(testing::HasSubstr("sees it")));
    std::vector<std::string> loud = words;
    loud.emplace_back("--verbose");
    const std::string out = kvcheck_with(loud).out;
    EXPECT_THAT(out, testing::ContainsRegex("0 +real +visible +0.5 +1"));
    EXPECT_THAT(out, testing::ContainsRegex("1 +real +visible +0.5 +0"));
    EXPECT_THAT(out, testing::ContainsRegex("element 0 +0.5 +[01] "));
}

/// One key and a sink of the same score, which the mutant ignores.
TEST(Replay, ShowsWhatASinkTakes) {
    const TemporaryFolder folder;
    const std::string file = folder.write("sink.json", R"({"format": "kvcheck case", "version": 1,
 "spec": {"level": "attention", "rows": 1, "query_heads": 1, "kv_heads": 1, "key_width": 1,
  "value_width": 1, "capacity": 1, "sinks": true, "position_signal": "none",
  "position_ids": "slot", "padded_query": "unspecified", "dead_row": "zeros"},
 "parameters": {"sinks": [0]},
 "program": [{"append":{"rows":[[{"real":true,"q":[[0]],"k":[[0]],"v":[[1]]}]]}}]})");
    const Outcome outcome = kvcheck_with(
        {"replay", file, "--subject", "mutant:sinks_ignored", "--verbose"}, folder.path());
    EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
    EXPECT_THAT(outcome.out,
                testing::ContainsRegex("0     real   visible   0.5 +1\n *sink +the rest  0.5 +0\n"))
        << outcome.out;
    EXPECT_EQ(kvcheck_with({"replay", file, "--subject", "plain"}, folder.path()).code, 0);
}

}  // namespace
}  // namespace kvcheck
