// SPDX-License-Identifier: Apache-2.0
// Whatever is wrong with a subject, a run that ends with its first failure ends soon: a fault
// beyond small cases is met by the round that takes each property to a quarter of its cases, and
// shrinking keeps to its budget of work. How long it takes is printed, and no claim.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ctime>

#include "impl/mutants/catalogue.hpp"
#include "oracles/work.hpp"
#include "properties/catalogue.hpp"
#include "properties/rounds/conclusion.hpp"
#include "properties/rounds/job_runner.hpp"
#include "properties/rounds/rounds.hpp"
#include "tests/properties/faults.hpp"
#include "tests/properties/reach_faults.hpp"
#include "tests/temporary_folder.hpp"

namespace kvcheck {
namespace {

double cpu_seconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

struct Ended {
    Progress last;
    double found_seconds = 0;
    double seconds = 0;
    Index found_work = 0;  // steps, up to the end of the round in which it was found
    Index work = 0;
    PropertyReport told;
};

Ended fail_fast_run(Subject& subject, const std::vector<Level>& levels) {
    const TemporaryFolder folder;
    SuiteOptions options;
    options.search.seed = 5;
    options.fail_fast = true;
    options.save_folder = folder.path();
    options.replay_command = [](const std::string& file) { return file; };
    std::vector<Part> parts;
    for (const Level level : levels) {
        const FeatureSet& features = subject.capabilities().features;
        for (const Property& property : properties()) {
            if (property.is_asked_of(features)) parts.push_back({&property, level});
        }
        parts.push_back({nullptr, level});
    }
    Ended ended;
    const double begin = cpu_seconds();
    const Index work_begin = Work::parts();
    const auto steps = [&] { return (Work::parts() - work_begin) / Work::parts_of_a_step; };
    SuiteListener listener;
    listener.progress = [&](const Progress& now) {
        ended.last = now;
        ended.found_work = steps();
        ended.found_seconds = cpu_seconds() - begin;
    };
    Solo crew(subject, options, parts);
    Rounds rounds(parts, subject.capabilities(), options, listener, crew);
    rounds.run();
    ended.work = steps();
    ended.seconds = cpu_seconds() - begin;
    for (std::size_t part = 0; part < parts.size(); ++part) {
        if (const PropertyReport* const report = rounds.report_of(part)) ended.told = *report;
    }
    return ended;
}

void print(const std::string& name, const Ended& ended) {
    const Counterexample& found = *ended.told.search.counterexample;
    const CaseSize size = size_of(found.test_case);
    fmt::print(
        "  | {} | round {} | {:.2f} s, {} steps | {:.2f} s, {} steps in {} tries{} | {}: {} rows, "
        "{} heads, {} tokens, {} commands |\n",
        name, ended.last.round, ended.found_seconds, ended.found_work, ended.seconds,
        ended.work - ended.found_work, found.shrink_tried, found.shrink_stopped ? ", stopped" : "",
        title_of(ended.told), size.rows, size.query_heads, size.tokens, size.commands);
}

/// A finding may be shrunk as one of plain outputs first, and then as what it is; each time the
/// last try may pass the budget, the case is looked at three times more.
void expect_soon(const Ended& ended) {
    ASSERT_TRUE(ended.told.search.counterexample);
    EXPECT_GT(ended.last.failed, 0);
    const Counterexample& found = *ended.told.search.counterexample;
    EXPECT_LE(found.shrink_work, shrink_work_of_fail_fast * 5 / 4);
    EXPECT_LE(ended.work - ended.found_work, shrink_work_of_fail_fast * 3);
    EXPECT_FALSE(found.shrink_stopped && found.shrink_work < shrink_work_of_fail_fast)
        << "the budget ended it, not a clock";
}

class FailFast : public testing::TestWithParam<Fault> {};

TEST_P(FailFast, EndsSoon) {
    const auto subject = tampered(GetParam().make());
    const Ended ended = fail_fast_run(*subject, {Level::attention});
    expect_soon(ended);
    print(GetParam().name, ended);
}

INSTANTIATE_TEST_SUITE_P(EveryFault, FailFast, testing::ValuesIn(harmless_faults()),
                         [](const auto& test) { return std::string(test.param.name); });

class FailFastBeyondSmallCases : public testing::TestWithParam<Fault> {};

TEST_P(FailFastBeyondSmallCases, EndsSoonWithinAQuarterOfTheCases) {
    const auto subject = tampered(GetParam().make());
    const Ended ended = fail_fast_run(*subject, {Level::attention});
    expect_soon(ended);
    EXPECT_LE(ended.last.cases_done * 4, ended.last.cases);
    print(GetParam().name, ended);
}

INSTANTIATE_TEST_SUITE_P(EveryFault, FailFastBeyondSmallCases, testing::ValuesIn(reach_faults()),
                         [](const auto& test) { return std::string(test.param.name); });

class FailFastOfAMutant : public testing::TestWithParam<std::size_t> {};

TEST_P(FailFastOfAMutant, EndsSoon) {
    const MutantEntry& entry = mutants()[GetParam()];
    const Ended ended =
        fail_fast_run(*entry.subject.make("mutant"), {Level::attention, Level::layer});
    expect_soon(ended);
    print(std::string(entry.subject.name), ended);
}

INSTANTIATE_TEST_SUITE_P(EveryFault, FailFastOfAMutant,
                         testing::Range(std::size_t{0}, mutants().size()), [](const auto& test) {
                             return std::string(mutants()[test.param].subject.name);
                         });

}  // namespace
}  // namespace kvcheck
