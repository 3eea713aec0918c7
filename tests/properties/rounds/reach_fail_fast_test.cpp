// SPDX-License-Identifier: Apache-2.0
// A fault beyond small cases ends a run of all properties early, too: by the round that takes each
// of them to a quarter of its cases. What it took is printed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ctime>

#include "properties/catalogue.hpp"
#include "properties/rounds/conclusion.hpp"
#include "properties/rounds/job_runner.hpp"
#include "properties/rounds/rounds.hpp"
#include "tests/properties/reach_faults.hpp"
#include "tests/temporary_folder.hpp"

namespace kvcheck {
namespace {

double cpu_seconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

class FailFast : public testing::TestWithParam<Fault> {};

TEST_P(FailFast, EndsWithinAQuarterOfTheCases) {
    const TemporaryFolder folder;
    const auto subject = tampered(GetParam().make());
    SuiteOptions options;
    options.search.seed = 5;
    options.search.shrink_steps_max = 20;  // what it is shrunk to is the claim of other tests
    options.fail_fast = true;
    options.save_folder = folder.path();
    options.replay_command = [](const std::string& file) { return file; };
    std::vector<Part> parts;
    for (const Property& property : properties()) {
        if (property.is_asked_of(subject->capabilities().features))
            parts.push_back({&property, Level::attention});
    }
    parts.push_back({nullptr, Level::attention});
    Progress last;
    double failed_at = 0;
    const double begin = cpu_seconds();
    SuiteListener listener;
    listener.progress = [&](const Progress& now) {
        if (failed_at == 0 && now.failed > 0) failed_at = cpu_seconds() - begin;
        last = now;
    };
    Solo crew(*subject, options, parts);
    Rounds rounds(parts, subject->capabilities(), options, listener, crew);
    rounds.run();
    std::string told = "nothing";
    for (std::size_t part = 0; part < parts.size(); ++part) {
        if (const PropertyReport* const report = rounds.report_of(part)) told = title_of(*report);
    }
    EXPECT_GT(last.failed, 0);
    EXPECT_LE(last.cases_done * 4, last.cases);
    fmt::print("  | {} | round {} | {} cases, {} worlds | {:.2f} s | {} |\n", GetParam().name,
               last.round, last.cases_done, last.worlds_done, failed_at, told);
}

INSTANTIATE_TEST_SUITE_P(EveryFault, FailFast, testing::ValuesIn(reach_faults()),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace kvcheck
