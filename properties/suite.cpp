// SPDX-License-Identifier: Apache-2.0
// Registration with GoogleTest (declared in suite.hpp).
#include "properties/suite.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <exception>
#include <map>

#include "model/types/hash.hpp"
#include "model/types/shown.hpp"
#include "model/types/spec_fields.hpp"
#include "properties/catalogue.hpp"
#include "properties/drive/sentence.hpp"
#include "properties/rounds/rounds.hpp"

namespace kvcheck {
namespace {

/// What the tests of one suite share.
class Suite {
public:
    Suite(const Capabilities& capabilities, const SuiteOptions& options,
          const SuiteListener& listener, CrewMaker make_crew)
        : capabilities_(capabilities),
          options_(options),
          listener_(listener),
          make_crew_(std::move(make_crew)) {}

    /// "suite.test" as GoogleTest names it.
    void add(const std::string& name, const Part& part) { registered_[name] = part; }

    /// Judges every test that GoogleTest will run; once. Null where the run ended before `name` was
    /// done.
    const PropertyReport* report_of(const std::string& name) {
        begin();
        const auto place = places_.find(name);
        if (place == places_.end()) return nullptr;
        if (trouble_.empty()) return rounds_->report_of(place->second);
        untold_ = {};
        untold_.property = parts_[place->second].name();
        untold_.level = parts_[place->second].level;
        untold_.verdict = Verdict::distrusted("could not be judged: " + trouble_);
        return &untold_;
    }

    /// Judges, where that has not been done; no test pays for all.
    void begin() {
        if (parts_.empty()) judge();
    }

    const SuiteListener& listener() const { return listener_; }
    const SuiteOptions& options() const { return options_; }

private:
    void judge() {
        const testing::UnitTest& unit = *testing::UnitTest::GetInstance();
        for (int s = 0; s < unit.total_test_suite_count(); ++s) {
            const testing::TestSuite& suite = *unit.GetTestSuite(s);
            for (int t = 0; t < suite.total_test_count(); ++t) {
                const testing::TestInfo& test = *suite.GetTestInfo(t);
                const std::string name = std::string(suite.name()) + "." + test.name();
                const auto part = registered_.find(name);
                if (!test.should_run() || part == registered_.end()) continue;
                places_[name] = parts_.size();
                parts_.push_back(part->second);
            }
        }
        // Whatever is thrown on the way is told in place of a verdict: a test that ran reports.
        try {
            crew_ = make_crew_(parts_);
            rounds_ = std::make_unique<Rounds>(parts_, capabilities_, options_, listener_, *crew_);
            rounds_->run();
            listener_.subject_ended(crew_->finish());
        } catch (const std::exception& error) {
            trouble_ = shown(error.what());
        }
    }

    const Capabilities& capabilities_;
    const SuiteOptions& options_;
    const SuiteListener& listener_;
    CrewMaker make_crew_;
    std::map<std::string, Part> registered_;
    std::map<std::string, std::size_t> places_;
    std::vector<Part> parts_;
    std::unique_ptr<Crew> crew_;
    std::unique_ptr<Rounds> rounds_;
    std::string trouble_;
    PropertyReport untold_;  // in place of a report, where there is trouble
};

class SuiteTest : public testing::Test {
public:
    SuiteTest(std::shared_ptr<Suite> suite, std::string name)
        : suite_(std::move(suite)), name_(std::move(name)) {}

    void TestBody() override {
        const PropertyReport* const report = suite_->report_of(name_);
        if (report == nullptr) GTEST_SKIP() << "the run ended with the first failure, elsewhere";
        suite_->listener().ended(*report);
        record(*report);
        if (report->verdict.kind == Verdict::Kind::skipped) GTEST_SKIP() << report->verdict.words;
        if (report->verdict.is_failure()) {
            const std::string replay = report->replay.empty() ? "" : "\nreplay: " + report->replay;
            FAIL() << sentence_of(report->verdict) << replay;
        }
        if (report->verdict.kind == Verdict::Kind::distrusted) {
            FAIL() << "distrusted: " << report->verdict.words;
        }
    }

private:
    /// What a reader of GoogleTest's XML needs to see it again.
    void record(const PropertyReport& report) const {
        RecordProperty("seed", shown(suite_->options().seed_text));
        // Its cases are judged between those of others, and in several processes.
        constexpr int text_max = 32;
        std::array<char, text_max> seconds{};
        std::snprintf(seconds.data(), seconds.size(), "%.3f", report.seconds);
        RecordProperty("seconds", seconds.data());
        const std::string& file = report.saved.empty() ? report.from_corpus : report.saved;
        if (!file.empty()) RecordProperty("counterexample", file);
        if (!report.replay.empty()) RecordProperty("replay", report.replay);
    }

    std::shared_ptr<Suite> suite_;
    std::string name_;
};

/// Runs after GoogleTest has chosen the tests and before the first of them.
class Judging : public testing::Environment {
public:
    explicit Judging(std::shared_ptr<Suite> suite) : suite_(std::move(suite)) {}
    void SetUp() override { suite_->begin(); }

private:
    std::shared_ptr<Suite> suite_;
};

}  // namespace

std::uint64_t seed_of(const std::string& text) { return fnv1a(text); }

std::string current_case_path(const std::string& save_folder, int worker) {
    const std::string number = worker > 0 ? "-" + std::to_string(worker) : "";
    return save_folder + "/current-case" + number + ".json";
}

std::string test_name(const Capabilities& subject, Level level) {
    std::string name = subject.name;
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0 && c != '_'; },
        '_');
    return name + "/" + std::string(name_of(level));
}

int register_suite(const Capabilities& capabilities, const SuiteOptions& options,
                   const SuiteListener& listener, const CrewMaker& make_crew) {
    const auto suite = std::make_shared<Suite>(capabilities, options, listener, make_crew);
    int count = 0;
    const auto add = [&](const Part& part) {
        const std::string name = part.name();
        if (!options.only_property.empty() && options.only_property != name) return;
        if (!capabilities.features.has(feature_of(part.level))) return;
        if (part.property != nullptr && !part.property->is_asked_of(capabilities.features)) return;
        ++count;
        const std::string test = test_name(capabilities, part.level);
        const std::string both = name + "." + test;
        suite->add(both, part);
        testing::RegisterTest(name.c_str(), test.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                              [=]() -> testing::Test* { return new SuiteTest(suite, both); });
    };
    testing::AddGlobalTestEnvironment(new Judging(suite));  // GoogleTest's own from here on
    constexpr std::array levels = {Level::attention, Level::layer};
    for (const Property& property : properties()) {
        for (const Level level : levels) add({&property, level});
    }
    for (const Level level : levels) {
        if (options.large.count > 0) add({&large_cases_property(), level});
    }
    for (const Level level : levels) add({nullptr, level});
    return count;
}

}  // namespace kvcheck
