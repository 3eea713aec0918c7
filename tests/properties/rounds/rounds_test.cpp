// SPDX-License-Identifier: Apache-2.0
// What a crew of several finds is what one process finds, in whatever order its jobs end; the cases
// of a property do not depend on how they are cut into jobs; of several failures the one that says
// most is told.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <set>

#include "impl/catalogue.hpp"
#include "model/case_file.hpp"
#include "model/case_hash.hpp"
#include "properties/catalogue.hpp"
#include "properties/drive/sentence.hpp"
#include "properties/extreme_cases.hpp"
#include "properties/rounds/conclusion.hpp"
#include "properties/rounds/job_runner.hpp"
#include "properties/rounds/rounds.hpp"
#include "tests/properties/faults.hpp"
#include "tests/temporary_folder.hpp"

namespace kvcheck {
namespace {

using testing::Contains;
using testing::HasSubstr;

/// Several places in one process, each with a subject of its own, whose jobs end in an order of
/// their own: the one that began last ends first.
class Backwards : public Crew {
public:
    Backwards(int size, const SuiteOptions& options, const std::vector<Part>& parts,
              const Fault& fault)
        : jobs_(std::size_t(size)) {
        for (int n = 0; n < size; ++n) {
            subjects_.push_back(tampered(fault.make()));
            runners_.emplace_back(*subjects_.back(), options, parts);
        }
    }
    int size() const override { return int(jobs_.size()); }
    bool is_idle(int place) const override { return !jobs_[std::size_t(place)]; }
    void start(int place, const Job& job) override { jobs_[std::size_t(place)] = job; }
    JobResult next() override {
        std::size_t last = 0;
        for (std::size_t n = 0; n < jobs_.size(); ++n) {
            const bool later = !jobs_[last] || (jobs_[n] && jobs_[n]->number > jobs_[last]->number);
            if (later) last = n;
        }
        const Job job = *std::exchange(jobs_[last], std::nullopt);
        JobResult result = runners_[last].run(job, {});
        result.place = int(last);
        return result;
    }
    Status finish() override { return Status::done(); }

private:
    std::vector<std::optional<Job>> jobs_;
    std::vector<std::unique_ptr<Subject>> subjects_;
    std::vector<JobRunner> runners_;
};

std::vector<Part> all_parts() {
    std::vector<Part> parts;
    for (const Property& property : properties()) parts.push_back({&property, Level::attention});
    parts.push_back({nullptr, Level::attention});
    return parts;
}

SuiteOptions few_cases(const std::string& folder) {
    SuiteOptions options;
    options.search.seed = 5;
    options.search.cases = 12;
    options.small_worlds = {2, 1};
    options.save_folder = folder;
    options.replay_command = [](const std::string& file) { return file; };
    return options;
}

/// All that a person is told of a part, as text.
std::string told(const PropertyReport& report) {
    std::string text = title_of(report) + ": " + std::string(name_of(report.verdict.kind)) + " " +
                       sentence_of(report.verdict) + " as " + report.same_as + " " + report.saved;
    text += " of " + std::to_string(report.search.coverage.cases) + " cases, " +
            std::to_string(report.small_worlds) + " worlds, stream " +
            std::to_string(report.search.stream_hash);
    if (report.search.counterexample)
        text += " at " + std::to_string(report.search.counterexample->found_at) + ": " +
                to_text({report.search.counterexample->test_case, {}});
    return text;
}

std::vector<std::string> told_by(int size, bool fail_fast, const Fault& fault,
                                 const std::string& folder) {
    SuiteOptions options = few_cases(folder);
    options.fail_fast = fail_fast;
    const std::vector<Part> parts = all_parts();
    Backwards crew(size, options, parts, fault);
    const auto subject = tampered({});
    const SuiteListener nobody;
    Rounds rounds(parts, subject->capabilities(), options, nobody, crew);
    rounds.run();
    std::vector<std::string> all;
    for (std::size_t part = 0; part < parts.size(); ++part) {
        const PropertyReport* const report = rounds.report_of(part);
        if (report != nullptr) all.push_back(told(*report));
    }
    return all;
}

/// A fault whose subject remembers earlier calls is another one where they went elsewhere.
class FaultInRounds : public testing::TestWithParam<Fault> {};

TEST_P(FaultInRounds, IsFoundAlikeByOneAndByFive) {
    const TemporaryFolder folder;
    for (const bool fail_fast : {false, true}) {
        const auto one = told_by(1, fail_fast, GetParam(), folder.path());
        EXPECT_EQ(one, told_by(5, fail_fast, GetParam(), folder.path()));
        EXPECT_THAT(one, Contains(HasSubstr(": failed ")));
        if (fail_fast) {
            EXPECT_EQ(one.size(), 1U);
        }
    }
}

std::vector<Fault> forgetful_faults() {
    std::vector<Fault> list = harmless_faults();
    std::erase_if(list, [](const Fault& fault) { return std::string(fault.name) == "Drifts"; });
    return list;
}

INSTANTIATE_TEST_SUITE_P(All, FaultInRounds, testing::ValuesIn(forgetful_faults()),
                         [](const auto& test) { return std::string(test.param.name); });

/// The hashes of the cases of places begin to end.
std::vector<std::uint64_t> cases_of(const Property& property, SearchOptions options, Index begin,
                                    Index end) {
    std::vector<std::uint64_t> hashes;
    const auto subject = tampered({});
    options.first = begin;
    options.before = [&](const Property&, const Case& test_case) {
        hashes.push_back(hash_of(test_case));
    };
    search_with_extremes(property, *subject, Level::attention, options, end);
    return hashes;
}

TEST(Cases, OfAPropertyAreTheSameHoweverTheyAreCut) {
    const Property& property = *property_named("cache_grows_exactly");
    SearchOptions options;
    options.seed = 3;
    options.cases = 60;
    const Index count = places_of(property, Level::attention, options);
    const std::vector<std::uint64_t> whole = cases_of(property, options, 0, count);
    EXPECT_GE(whole.size(), 55U);
    for (const Index step : {1, 7, 26}) {
        std::vector<std::uint64_t> parts;
        for (Index begin = 0; begin < count; begin += step) {
            for (const std::uint64_t hash :
                 cases_of(property, options, begin, std::min(count, begin + step)))
                parts.push_back(hash);
        }
        EXPECT_EQ(parts, whole) << step;
    }
}

TEST(SmallWorlds, AreTheSameHoweverTheyAreCut) {
    const Index count = small_worlds_of(Level::layer, {3, 0});
    EXPECT_EQ(count, 3 * (4 + 32 + 256));
    const auto subject = tampered({});
    Index tried = 0;
    for (Index begin = 0; begin < count; begin += 100) {
        const SmallWorldsResult part =
            search_small_worlds(*subject, Level::layer, {3, 0}, {}, begin, begin + 100);
        EXPECT_EQ(part.passed_by, std::min<Index>(100, count - begin));
        tried += part.cases;
    }
    EXPECT_EQ(tried, search_small_worlds(*subject, Level::layer, {3, 0}, {}).cases);
}

TEST(FailFastRun, TellsTheRuleThatIsBrokenAndNotTheFirstOfTheTable) {
    const TemporaryFolder folder;
    int told_of_the_rule = 0;
    for (const Fault& fault : harmless_faults()) {
        const auto said = told_by(2, true, fault, folder.path());
        ASSERT_EQ(said.size(), 1U) << fault.name;
        const bool of_the_rule = said[0].rfind(std::string(fault.property) + " ", 0) == 0;
        told_of_the_rule += of_the_rule ? 1 : 0;
        if (!of_the_rule)
            fmt::print("  {}: {}\n", fault.name, said[0].substr(0, said[0].find(',')));
    }
    const auto all = int(harmless_faults().size());
    fmt::print("  {} of {} faults are told as what they are\n", told_of_the_rule, all);
    // Of the others, many break several rules in their first cases.
    EXPECT_GE(told_of_the_rule * 2, all);
}

TEST(Ranking, HasEveryPartOnce) {
    std::set<std::size_t> ranks;
    for (const Property& property : properties()) ranks.insert(telling_rank(property.name));
    EXPECT_EQ(*ranks.rbegin(), telling_rank("outputs_match_the_oracle"));
    ranks.insert(telling_rank(large_cases_property().name));
    ranks.insert(telling_rank(small_worlds_name));
    EXPECT_EQ(ranks.size(), properties().size() + 2);
}

TEST(Conclusion, OfLargeCasesThatHaveNothingToJudgeByIsASkip) {
    PropertyReport report;
    report.property = large_cases_property().name;
    report.large_cases = report.search.powerless = 1;
    EXPECT_EQ(verdict_of(report, false).kind, Verdict::Kind::skipped);
    report.search.passed = 1;
    EXPECT_EQ(verdict_of(report, false).kind, Verdict::Kind::passed);
    PropertyReport small;
    small.search.coverage.cases = small.search.powerless = 1;
    EXPECT_EQ(verdict_of(small, false).kind, Verdict::Kind::distrusted);
}

}  // namespace
}  // namespace kvcheck
