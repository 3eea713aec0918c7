// SPDX-License-Identifier: Apache-2.0
// What the commands print: the worked example, the lists, the case stream of a seed, and nothing
// that only a terminal understands.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <fstream>

#include "impl/catalogue.hpp"
#include "impl/fast/fast.hpp"
#include "impl/mutants/catalogue.hpp"
#include "properties/catalogue.hpp"
#include "properties/search/small_worlds.hpp"
#include "properties/suite.hpp"
#include "tests/cli/child.hpp"

namespace kvcheck {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

std::string stream_of(const std::string& out) { return line_with(out, "case stream"); }

Outcome short_run(const std::vector<std::string>& more,
                  const std::vector<std::string>& environment = {}) {
    std::vector<std::string> arguments = {"run", "--quick", "--property", "rows_normalise"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return kvcheck_with(arguments, "", environment);
}

TEST(Seed, TheSameTextDrawsTheSameCases) {
    const std::string one = stream_of(short_run({"--seed", "one"}).out);
    EXPECT_THAT(one, ContainsRegex("^case stream [0-9a-f]+$"));
    EXPECT_EQ(stream_of(short_run({"--seed", "one"}).out), one);
    EXPECT_NE(stream_of(short_run({"--seed", "two"}).out), one);
    EXPECT_NE(stream_of(short_run({"--seed", "one "}).out), one);
}

TEST(Seed, AFreshOneIsPrintedAndCanBeTyped) {
    const std::string first = short_run({}, {fresh_seed}).out;
    const std::string second = short_run({}, {fresh_seed}).out;
    EXPECT_NE(stream_of(first), stream_of(second));
    const std::string line = line_with(first, "seed ");
    const std::string seed = line.substr(line.find_last_of(' ') + 1);
    EXPECT_EQ(stream_of(short_run({"--seed", seed}).out), stream_of(first));
}

TEST(Seed, ComesFromTheEnvironmentUnlessItIsTyped) {
    const std::vector<std::string> one = {"KVCHECK_SEED=one"};
    EXPECT_THAT(short_run({}, one).out, HasSubstr("seed     one\n"));
    EXPECT_EQ(stream_of(short_run({}, one).out), stream_of(short_run({"--seed", "one"}).out));
    EXPECT_THAT(short_run({"--seed", "two"}, one).out, HasSubstr("seed     two\n"));
}

TEST(Cases, AreAsManyAsAskedFor) {
    EXPECT_THAT(short_run({"--cases", "7"}).out, HasSubstr("coverage of 14 random cases\n"));
    EXPECT_THAT(short_run({}).out, HasSubstr("coverage of 60 random cases\n"));
}

#if defined(__SANITIZE_ADDRESS__)
constexpr bool reserves_terabytes = true;
#elif defined(__has_feature)
constexpr bool reserves_terabytes = __has_feature(address_sanitizer);
#else
constexpr bool reserves_terabytes = false;
#endif

TEST(Cases, TakeNoMemoryBeforeTheyAreDrawn) {
    if (reserves_terabytes) GTEST_SKIP() << "an address sanitizer cannot live with a limit";
    rlimit before = {};
    getrlimit(RLIMIT_AS, &before);
    const rlimit less = {rlim_t{1} << 29, before.rlim_max};  // half a GiB, for the child
    setrlimit(RLIMIT_AS, &less);
    const Outcome outcome = short_run({"--cases", "100000000", "--time", "1s"});
    setrlimit(RLIMIT_AS, &before);
    EXPECT_THAT(outcome.code, testing::AnyOf(0, 3)) << outcome.out << outcome.err;
}

TEST(Time, EndsARunHoweverManyCasesAreLeft) {
    const Outcome outcome = short_run({"--cases", "100000000", "--time", "10s"});
    EXPECT_EQ(outcome.code, 0) << outcome.out;
    EXPECT_THAT(outcome.out, HasSubstr("(stopped by the time limit)\n"));
    EXPECT_THAT(outcome.out, HasSubstr("2 properties held"));
}

TEST(Oracle, SaysByWhichAnswersNumbersWereJudged) {
    const Outcome certified = short_run({"--seed", "x", "--cases", "60"});
    EXPECT_EQ(certified.code, 0) << certified.out;
    EXPECT_THAT(certified.out,
                testing::ContainsRegex("judged [0-9]+ numbers: [1-9][0-9]* in double with a "
                                       "certificate, [0-9]+ by fifty digits"));
    EXPECT_THAT(certified.out, HasSubstr(" certified ones by both"));
    const Outcome exact = short_run({"--seed", "x", "--cases", "60", "--oracle", "exact"});
    EXPECT_EQ(exact.code, 0) << exact.out;
    EXPECT_THAT(exact.out, HasSubstr(" numbers: 0 in double with a certificate"));
    EXPECT_EQ(stream_of(exact.out), stream_of(certified.out));
    EXPECT_EQ(short_run({"--oracle", "guess"}).code, 2);
}

TEST(Readme, ShowsAFailureAsItIsPrinted) {
    std::ifstream stream(KVCHECK_SOURCE "/README.md");
    std::vector<std::string> shown;
    const std::string margin(4, ' ');
    for (std::string line; std::getline(stream, line);) {
        const bool begins = line.rfind(margin + "$ kvcheck run", 0) == 0;
        if (!shown.empty() && line.empty()) break;
        if (begins || !shown.empty()) shown.push_back(line);
    }
    ASSERT_GT(shown.size(), 1U);
    EXPECT_EQ(shown.front(),
              margin + "$ kvcheck run --subject mutant:chunk_local_mask --fail-fast --seed 5eed");
    const TemporaryFolder folder;
    const Outcome outcome = kvcheck_with(
        {"run", "--subject", "mutant:chunk_local_mask", "--fail-fast", "--seed", "5eed"},
        folder.path());
    const std::vector<std::string> printed = lines_of(outcome.out);
    ASSERT_GE(printed.size() + 1, shown.size());
    for (std::size_t n = 1; n < shown.size(); ++n) {
        EXPECT_EQ(shown[n], margin + printed[n - 1]);
    }
}

TEST(List, ShowsEverythingAsTyped) {
    const Outcome outcome = kvcheck_with({"list"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.err, "");
    const auto line_of = [&](const std::string& name) {
        return line_with(outcome.out, name + " ");
    };
    for (const SubjectEntry& entry : built_in_subjects()) {
        EXPECT_THAT(line_of(std::string(entry.name)), HasSubstr(std::string(entry.what)));
    }
    for (const MutantEntry& entry : mutants()) {
        EXPECT_THAT(line_of("mutant:" + std::string(entry.subject.name)),
                    HasSubstr(std::string(entry.subject.what)));
    }
    for (const Property& property : properties()) {
        const std::string name(property.name);
        EXPECT_THAT(line_of(name), ContainsRegex("^" + name + " +" + std::string(property.clause) +
                                                 " +" + std::string(property.claim) + "$"));
    }
    EXPECT_THAT(line_of(small_worlds_name), HasSubstr("1 to 10"));
    for (const Feature feature : FeatureSet::all().list()) {
        const FeatureInfo& info = info_of(feature);
        EXPECT_THAT(outcome.out, HasSubstr(fmt::format("  {:<30} {}", info.name, info.meaning)));
    }
}

/// The names in the part of the list under the heading that begins so.
std::vector<std::string> listed(const std::string& heading) {
    std::vector<std::string> names;
    bool inside = false;
    for (const std::string& line : lines_of(kvcheck_with({"list"}).out)) {
        if (line.rfind("  ", 0) != 0)
            inside = line.rfind(heading, 0) == 0;
        else if (inside)
            names.push_back(line.substr(2, line.find(' ', 2) - 2));
    }
    return names;
}

/// What a run prints between the line that names the subject and its threads, and its time.
std::string judged(const std::string& threads) {
    const Outcome outcome = kvcheck_with({"run", "--cases", "20", "--seed", "x", "--corpus", "none",
                                          "--gtest_filter=outputs_match*:chunks*:rows_normalise*",
                                          "--threads", threads});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr(", threads: " + threads));
    const std::size_t begin = outcome.out.find('\n');
    return outcome.out.substr(begin, outcome.out.rfind("; ") - begin);
}

TEST(Output, VerdictsDoNotDependOnThreads) {
    const std::string one = judged("1");
    EXPECT_THAT(one, HasSubstr("worst "));
    EXPECT_EQ(judged("2"), one);
    EXPECT_EQ(judged("5"), one);
}

TEST(List, TheDefaultSubjectIsMarkedAndUsed) {
    const Outcome list = kvcheck_with({"list"});
    EXPECT_THAT(list.out, testing::ContainsRegex("\n  fast +[^\n]*\\(default\\)\n"));
    const Outcome run = kvcheck_with({"run", "--cases", "1", "--property", "rows_normalise"});
    EXPECT_THAT(run.out, HasSubstr("subject  fast "));
}

TEST(List, EveryListedPropertyIsAccepted) {
    std::vector<std::string> names = listed("properties");
    EXPECT_EQ(names.size(), properties().size());
    for (const char* const heading : {"large", "exhaustive"}) {
        for (const std::string& name : listed(heading)) names.push_back(name);
    }
    EXPECT_EQ(names.size(), properties().size() + 2);
    const FeatureSet features = make_fast("fast")->capabilities().features;
    for (const std::string& name : names) {
        const Outcome outcome = kvcheck_with({"run", "--gtest_list_tests", "--property", name});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        const Property* const property = property_named(name);
        const bool is_asked = property == nullptr || property->is_asked_of(features);
        EXPECT_EQ(outcome.out, is_asked ? name + ".\n  fast/attention\n  fast/layer\n" : "");
    }
}

TEST(List, EveryListedSubjectIsAccepted) {
    std::vector<std::string> names = listed("subjects");
    for (const std::string& mutant : listed("mutants")) names.push_back(mutant);
    EXPECT_EQ(names.size(), built_in_subjects().size() + mutants().size());
    for (const std::string& name : names) {
        const Outcome outcome = kvcheck_with(
            {"run", "--subject", name, "--property", "same_call_same_bits", "--cases", "5"});
        EXPECT_THAT(outcome.code, testing::AnyOf(0, 1)) << outcome.err;
        EXPECT_THAT(outcome.out, HasSubstr("subject  " + name + " "));
    }
}

TEST(Example, ShowsShapesAndACausalMask) {
    const Outcome outcome = kvcheck_with({"example"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.err, "");
    EXPECT_THAT(line_with(outcome.out, "output shape"), testing::EndsWith(" (2, 6, 12)"));
    EXPECT_THAT(line_with(outcome.out, "weight shape"), testing::EndsWith(" (2, 3, 6, 6)"));
    EXPECT_THAT(line_with(outcome.out, "cache shape"), testing::EndsWith(" (2, 3, 6, 4)"));
    EXPECT_THAT(line_with(outcome.out, "weight above the diagonal"),
                HasSubstr("diagonal 0, the largest"));
    EXPECT_THAT(line_with(outcome.out, "against the oracle"), HasSubstr(" passed, "));
    EXPECT_THAT(outcome.out, HasSubstr("slot 2   0.000 0.000 1.000 0.000 0.000 0.000\n"));
    EXPECT_EQ(kvcheck_with({"example"}).out, outcome.out) << "the same every time";
}

TEST(Output, IsPlainTextInAPipe) {
    const std::vector<std::vector<std::string>> commands = {
        {"run", "--quick", "--property", "rows_normalise"},
        {"run", "--quick", "--subject", "mutant:chunk_local_mask", "--fail-fast"},
        {"run", "--gtest_filter=nothing*"},
        {"run", "--gtest_list_tests"},
        {"list"},
        {"example"},
    };
    for (const auto& arguments : commands) {
        for (const std::string terminal : {"TERM=xterm-256color", "TERM=dumb"}) {
            const Outcome outcome = kvcheck_with(arguments, "", {terminal});
            EXPECT_FALSE(outcome.out.empty());
            for (const std::string& text : {outcome.out, outcome.err}) {
                EXPECT_EQ(text.find('\033'), std::string::npos) << text;
                EXPECT_EQ(text.find('\r'), std::string::npos) << text;
            }
        }
    }
}

}  // namespace
}  // namespace kvcheck
