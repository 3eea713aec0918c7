// SPDX-License-Identifier: Apache-2.0
// GoogleTest's own flags and sharding apply to a run, although it prints in its own way.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "impl/fast/fast.hpp"
#include "model/case_file.hpp"
#include "properties/catalogue.hpp"
#include "tests/cli/child.hpp"

namespace kvcheck {
namespace {

using testing::ContainsRegex;
using testing::ElementsAre;
using testing::HasSubstr;

/// "property level" of every test that a run reports, sorted.
std::vector<std::string> tests_of(const std::string& out) {
    std::vector<std::string> tests;
    for (const std::string& line : lines_of(out)) {
        const bool reports = line.rfind("  passed ", 0) == 0 || line.rfind("  FAILED ", 0) == 0 ||
                             line.rfind("  skipped ", 0) == 0 ||
                             line.rfind("  distrusted ", 0) == 0;
        if (!reports) continue;
        std::istringstream words(line);
        std::string label;
        std::string property;
        std::string level;
        words >> label >> property >> level;
        tests.push_back(property + " " + level);
    }
    std::sort(tests.begin(), tests.end());
    return tests;
}

/// Those that the default subject is asked about.
std::vector<std::string> properties_of_fast() {
    const FeatureSet features = make_fast("fast")->capabilities().features;
    std::vector<std::string> names;
    for (const Property& property : properties()) {
        if (property.is_asked_of(features)) names.emplace_back(property.name);
    }
    return names;
}

TEST(GoogleTest, ListsTheTestsAndRunsNone) {
    const Outcome outcome = kvcheck_with({"run", "--gtest_list_tests"});
    EXPECT_EQ(outcome.code, 0);
    std::string expected;
    for (const std::string& name : properties_of_fast()) {
        expected += name + ".\n  fast/attention\n  fast/layer\n";
    }
    expected += "large_cases.\n  fast/attention\n  fast/layer\n";
    EXPECT_EQ(outcome.out, expected + "small_worlds.\n  fast/attention\n  fast/layer\n");
}

TEST(GoogleTest, FiltersByPropertyAndLevel) {
    const Outcome one =
        kvcheck_with({"run", "--quick", "--gtest_filter=rows_normalise.fast/layer"});
    EXPECT_EQ(one.code, 0) << one.out;
    EXPECT_THAT(tests_of(one.out), ElementsAre("rows_normalise layer"));
    const Outcome two =
        kvcheck_with({"run", "--cases", "5", "--gtest_filter=reset*:*fresh*-*layer"});
    EXPECT_THAT(tests_of(two.out), ElementsAre("reset_is_fresh attention"));
}

TEST(GoogleTest, FlagsMayStandAnywhere) {
    const Outcome outcome =
        kvcheck_with({"--gtest_filter=rows_normalise.fast/layer", "run", "--quick"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(tests_of(outcome.out), ElementsAre("rows_normalise layer"));
}

TEST(GoogleTest, WritesXml) {
    const TemporaryFolder folder;
    const std::string file = folder.file("report.xml");
    EXPECT_EQ(kvcheck_with(
                  {"run", "--quick", "--property", "rows_normalise", "--gtest_output=xml:" + file})
                  .code,
              0);
    std::string xml = read_text_file(file);
    EXPECT_THAT(xml, HasSubstr("<testsuites tests=\"2\" failures=\"0\""));
    EXPECT_THAT(xml, HasSubstr("<testsuite name=\"rows_normalise\""));
    EXPECT_THAT(xml, HasSubstr("<testcase name=\"fast/attention\""));

    EXPECT_EQ(kvcheck_with({"run", "--quick", "--subject", "mutant:chunk_local_mask", "--property",
                            "chunks_do_not_matter", "--gtest_output=xml:" + file})
                  .code,
              1);
    xml = read_text_file(file);
    EXPECT_THAT(xml, HasSubstr("<testsuites tests=\"2\" failures=\"2\""));
    EXPECT_THAT(xml, HasSubstr("<testcase name=\"mutant_chunk_local_mask/attention\""));
    EXPECT_THAT(xml, HasSubstr("the oracle says"));
    EXPECT_THAT(xml, HasSubstr("<property name=\"seed\" value=\"tests\"/>"));
    EXPECT_THAT(xml, ContainsRegex("<property name=\"counterexample\" "
                                   "value=\"counterexamples/chunks_do_not_matter-.*json\"/>"));
    EXPECT_THAT(xml, ContainsRegex("<property name=\"replay\" "
                                   "value=\"kvcheck replay counterexamples/chunks_do_not_matter"));
}

/// The sum of all numbers that follow `before`.
double sum_after(const std::string& before, const std::string& text) {
    double sum = 0;
    for (std::size_t at = text.find(before); at != std::string::npos;
         at = text.find(before, at + 1))
        sum += std::atof(text.c_str() + at + before.size());
    return sum;
}

TEST(GoogleTest, NoTestIsGivenTheTimeOfTheWholeRun) {
    const TemporaryFolder folder;
    const std::string file = folder.file("report.xml");
    kvcheck_with({"run", "--cases", "60", "--gtest_filter=c*", "--gtest_output=xml:" + file});
    const std::string xml = read_text_file(file);
    // Reporting takes next to nothing; what the cases of each test took is a property of its own.
    const double judging = sum_after("<property name=\"seconds\" value=\"", xml);
    EXPECT_GT(judging, 0);
    EXPECT_LT(2 * sum_after("result=\"completed\" time=\"", xml), judging);
}

TEST(GoogleTest, TheUnionOfTheShardsIsTheWholeList) {
    const std::vector<std::string> arguments = {"run", "--cases", "2",
                                                "--gtest_filter=-small_worlds*"};
    const std::vector<std::string> whole = tests_of(kvcheck_with(arguments).out);
    EXPECT_EQ(whole.size(), 2 * properties_of_fast().size());
    std::vector<std::string> both;
    for (const std::string index : {"0", "1"}) {
        const Outcome shard =
            kvcheck_with(arguments, "", {"GTEST_TOTAL_SHARDS=2", "GTEST_SHARD_INDEX=" + index});
        const std::vector<std::string> tests = tests_of(shard.out);
        EXPECT_EQ(tests.size(), properties_of_fast().size());
        both.insert(both.end(), tests.begin(), tests.end());
    }
    std::sort(both.begin(), both.end());
    EXPECT_EQ(both, whole);
}

TEST(GoogleTest, AShardDrawsTheCasesOfTheWholeRun) {
    const std::vector<std::string> arguments = {
        "run", "--cases", "9", "--seed", "s", "--property", "cache_grows_exactly"};
    const Outcome whole = kvcheck_with(arguments);
    std::vector<std::string> parts;
    for (const std::string index : {"0", "1"}) {
        const Outcome shard =
            kvcheck_with(arguments, "", {"GTEST_TOTAL_SHARDS=2", "GTEST_SHARD_INDEX=" + index});
        EXPECT_EQ(shard.code, 0) << shard.out;
        const std::string line = line_with(shard.out, "cache_grows_exactly");
        EXPECT_THAT(whole.out, HasSubstr(line));
        parts.push_back(line);
    }
    EXPECT_NE(parts[0], parts[1]);
}

TEST(GoogleTest, ItsHelpIsHelp) {
    const Outcome outcome = kvcheck_with({"run", "--gtest_help"});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("--gtest_filter"));
}

/// One line that names the place, what stands there and what should.
void expect_refused(const Outcome& outcome, const std::string& place, const std::string& found) {
    EXPECT_EQ(outcome.code, 2) << outcome.out << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("kvcheck: " + place + ": found " + found));
    EXPECT_THAT(outcome.err, HasSubstr(", expected "));
}

TEST(GoogleTest, FlagsThatWouldEndTheProgramAreRefused) {
    const std::vector<std::string> run = {"run", "--cases", "1", "--property", "rows_normalise"};
    const auto with = [&](const std::string& flag) {
        std::vector<std::string> words = run;
        words.push_back(flag);
        return kvcheck_with(words);
    };
    for (const std::string name : {"throw_on_failure", "break_on_failure"}) {
        expect_refused(with("--gtest_" + name), "--gtest_" + name, "\"1\"");
        EXPECT_EQ(with("--gtest_" + name + "=0").code, 0);
    }
    expect_refused(kvcheck_with(run, "", {"GTEST_THROW_ON_FAILURE=1"}), "GTEST_THROW_ON_FAILURE",
                   "\"1\"");
    expect_refused(with("--gtest_flagfile=/no/file"), "--gtest_flagfile", "\"/no/file\"");
    expect_refused(with("--gtest_stream_result_to=x:1"), "--gtest_stream_result_to", "\"x:1\"");
    expect_refused(with("--gtest_repeat=2"), "--gtest_repeat", "\"2\"");
    expect_refused(with("--gtest_random_seed=x"), "--gtest_random_seed", "\"x\"");
    expect_refused(with("--gtest_filtr=x"), "command line", "--gtest_filtr=x");
    expect_refused(with("--gtest_output=csv"), "--gtest_output", "\"csv\"");
}

TEST(GoogleTest, ShardsThatAreNoneAreRefused) {
    const auto with = [](const std::vector<std::string>& variables) {
        return kvcheck_with({"run", "--cases", "1", "--property", "rows_normalise"}, "", variables);
    };
    const std::string total = "GTEST_TOTAL_SHARDS";
    const std::string index = "GTEST_SHARD_INDEX";
    expect_refused(with({total + "=2", index + "=2"}), index, "\"2\"");
    expect_refused(with({total + "=2", index + "=-1"}), index, "\"-1\"");
    expect_refused(with({total + "=2"}), index, "\"nothing\"");
    expect_refused(with({index + "=0"}), total, "\"nothing\"");
    expect_refused(with({total + "=x", index + "=0"}), total, "\"x\"");
    expect_refused(with({total + "=0", index + "=0"}), total, "\"0\"");
    expect_refused(with({total + "=1", index + "=0", "GTEST_SHARD_STATUS_FILE=/no/place"}),
                   "GTEST_SHARD_STATUS_FILE", "/no/place");
}

TEST(GoogleTest, AReportThatIsLostIsToldAndItsRunHasNotHeld) {
    const std::vector<std::string> held = {"run", "--quick", "--property", "rows_normalise"};
    const auto run = [](std::vector<std::string> arguments, const std::string& report) {
        arguments.push_back("--gtest_output=" + report);
        return kvcheck_with(arguments);
    };
    for (const std::string format : {"xml", "json"}) {
        const std::string lost =
            "kvcheck: the report of --gtest_output was not written to "
            "/dev/full: No space left on device\n";
        const Outcome full = run(held, format + ":/dev/full");
        EXPECT_EQ(full.code, 2);
        EXPECT_EQ(full.err, lost);
        EXPECT_THAT(full.out, HasSubstr("2 properties held"));
        const Outcome failed = run({"run", "--subject", "mutant:chunk_local_mask", "--fail-fast"},
                                   format + ":/dev/full");
        EXPECT_EQ(failed.code, 1);
        EXPECT_EQ(failed.err, lost);
        EXPECT_EQ(run({"run", "--gtest_list_tests"}, format + ":/dev/full").code, 2);
        for (const std::string place : {"/dev/null", "/dev/stdout"}) {
            const Outcome taken = run(held, format + ":" + place);
            EXPECT_EQ(taken.code, 0) << place << taken.err;
        }
    }
}

TEST(GoogleTest, WritesEveryReportOfAFolder) {
    const TemporaryFolder folder;
    for (const std::string file : {"kvcheck.json", "kvcheck_1.json", "kvcheck_2.json"}) {
        const Outcome outcome = kvcheck_with({"run", "--quick", "--property", "rows_normalise",
                                              "--gtest_output=json:" + folder.path() + "/"});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_EQ(outcome.err, "");
        EXPECT_FALSE(read_text_file(folder.file(file)).empty());
    }
}

TEST(GoogleTest, AReportThatCannotBeWrittenIsToldBeforeAnythingRuns) {
    const TemporaryFolder folder;
    for (const std::string& place : {std::string("/proc/report.xml"), folder.path()}) {
        const Outcome outcome = kvcheck_with(
            {"run", "--quick", "--property", "rows_normalise", "--gtest_output=xml:" + place});
        EXPECT_EQ(outcome.code, 2) << outcome.out << outcome.err;
        EXPECT_THAT(outcome.err, HasSubstr("--gtest_output: found " + place));
        EXPECT_EQ(outcome.out, "");
    }
}

}  // namespace
}  // namespace kvcheck
