// SPDX-License-Identifier: Apache-2.0
// Registration, corpus, search and saving for one subject (declared in suite.hpp).
#include "properties/suite.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <exception>
#include <filesystem>
#include <memory>

#include "model/types/hash.hpp"
#include "model/types/shown.hpp"
#include "model/types/spec_fields.hpp"
#include "properties/catalogue.hpp"
#include "properties/drive/sentence.hpp"
#include "properties/extreme_cases.hpp"
#include "properties/search/counterexample_file.hpp"

namespace kvcheck {
namespace {

/// What the tests of one suite share.
struct SuiteState {
    Subject& subject;
    const SuiteOptions& options;
    const SuiteListener& listener;
    Clock::time_point begin = Clock::now();
    int tests_left = 0;
    int hangs = 0;
    std::string disk_trouble = {};  // the first of this test with the file of the running case

    /// An equal share of what is left of the time.
    Clock::time_point deadline() const {
        if (!options.time) return options.search.deadline;
        const auto left = begin + *options.time - Clock::now();
        return Clock::now() + left / std::max(tests_left, 1);
    }
};

void save(PropertyReport& report, const SuiteState& state, const std::string& property) {
    const Counterexample& found = *report.search.counterexample;
    if (!found.verdict.is_failure()) return;
    const CaseFile file{found.test_case,
                        {property, state.options.subject_text, found.verdict.diagnosis,
                         sentence_of(found.verdict), state.options.seed_text}};
    report.saved = save_counterexample(state.options.save_folder, file, report.save_trouble);
    if (!report.save_trouble.empty()) report.unsaved = to_text(file);
    const bool replays = found.verdict.kind != Verdict::Kind::dependent;
    if (!report.saved.empty() && replays)
        report.replay = state.options.replay_command(report.saved);
}

SearchOptions search_options(SuiteState& state) {
    SearchOptions options = state.options.search;
    options.deadline = state.deadline();
    if (!state.options.write_ahead) return options;
    options.before = [&state](const Property& property, const Case& test_case) {
        std::string trouble;
        write_case_file(current_case_path(state.options.save_folder),
                        {test_case,
                         {std::string(property.name), state.options.subject_text, "unfinished",
                          "it was running when the process ended", state.options.seed_text}},
                        trouble);
        if (state.disk_trouble.empty()) state.disk_trouble = trouble;
    };
    return options;
}

/// Replays the corpus cases of this property and level; false where one fails.
bool replay_corpus(PropertyReport& report, SuiteState& state, const Property& property) {
    const SearchOptions options = search_options(state);
    for (const auto& [name, file] : state.options.corpus) {
        const FeatureSet allowed = state.subject.capabilities().features;
        if (file.finding.property != property.name || file.test_case.spec.level != report.level)
            continue;
        if (!allowed.has_all(features_of(file.test_case))) continue;
        ++report.corpus_cases;
        if (options.before) options.before(property, file.test_case);
        const Case& test_case = file.test_case;
        const auto judge = [&] { return check(property, state.subject, test_case); };
        const Verdict verdict =
            seen_alone(property, state.subject, test_case, looked_at_twice(judge(), judge));
        if (!verdict.is_failure()) continue;
        report.verdict = verdict;
        report.from_corpus = name;
        report.corpus_case = test_case;
        if (verdict.kind != Verdict::Kind::dependent)
            report.replay = state.options.replay_command(name);
        return false;
    }
    return true;
}

/// From what a search found to a verdict.
void conclude(PropertyReport& report, SuiteState& state, const Property& property) {
    if (report.search.counterexample) {
        report.verdict = report.search.counterexample->verdict;
        save(report, state, std::string(property.name));
    } else if (!report.search.disturbed.empty()) {
        report.verdict = Verdict::distrusted(report.search.disturbed);
    } else if (report.search.passed == 0 && !report.search.lacking.empty()) {
        report.verdict = Verdict::skipped(report.search.lacking);
    } else if (report.search.passed == 0) {
        report.verdict = Verdict::distrusted(
            report.search.coverage.cases == 0 ? "nothing ran" : "no case had anything to judge by");
    } else {
        report.verdict = Verdict::passed(report.search.worst_ratio);
    }
}

void run_property(PropertyReport& report, SuiteState& state, const Property& property) {
    const FeatureSet lacking = property.needs.without(state.subject.capabilities().features);
    if (!lacking.empty()) {
        report.verdict = Verdict::skipped("no " + std::string(name_of(lacking.list().front())));
        return;
    }
    if (!replay_corpus(report, state, property)) return;
    report.search =
        search_with_extremes(property, state.subject, report.level, search_options(state));
    conclude(report, state, property);
}

void run_large_cases(PropertyReport& report, SuiteState& state) {
    report.search =
        search_large_cases(state.subject, report.level, state.options.large, search_options(state));
    report.large_cases = report.search.passed + report.search.powerless;
    conclude(report, state, large_cases_property());
}

void run_small_worlds(PropertyReport& report, SuiteState& state) {
    SmallWorldsResult result = search_small_worlds(
        state.subject, report.level, state.options.small_world_slots_max, search_options(state));
    report.small_worlds = result.cases;
    report.search.evaluation = result.evaluation;
    report.search.out_of_time = result.out_of_time;
    if (result.counterexample) {
        report.verdict = result.counterexample->verdict;
        report.search.counterexample = std::move(result.counterexample);
        save(report, state, std::string(result.property->name));
    } else if (!result.disturbed.empty()) {
        report.verdict = Verdict::distrusted(result.disturbed);
    } else if (result.cases == 0 && !result.out_of_time) {
        report.verdict = Verdict::skipped("no world of two rows is within the subject's features");
    } else if (result.cases == 0) {
        report.verdict = Verdict::distrusted("nothing ran");
    } else {
        report.verdict = Verdict::passed(result.worst_ratio);
    }
}

/// Removes the file of the running case; what stands in the way is told and changes no verdict.
void remove_current_case(SuiteState& state) {
    const std::string path = current_case_path(state.options.save_folder);
    std::error_code error;
    std::filesystem::remove(path, error);
    if (!error || error == std::errc::not_a_directory) return;  // then there is no such file either
    if (state.disk_trouble.empty())
        state.disk_trouble = "cannot remove " + path + ": " + error.message();
}

class SuiteTest : public testing::Test {
public:
    SuiteTest(std::shared_ptr<SuiteState> state, Level level, const Property* property)
        : state_(std::move(state)), level_(level), property_(property) {}

    void TestBody() override {
        PropertyReport report;
        report.property = property_ != nullptr ? std::string(property_->name) : small_worlds_name;
        report.level = level_;
        state_->listener.begun(report.property, level_);
        const auto begin = Clock::now();
        judge(report);
        report.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
        --state_->tests_left;
        if (report.verdict.kind == Verdict::Kind::timed_out) ++state_->hangs;
        if (state_->options.write_ahead) remove_current_case(*state_);
        report.disk_trouble = std::exchange(state_->disk_trouble, {});
        state_->listener.ended(report);
        record(report);
        if (report.verdict.kind == Verdict::Kind::skipped) GTEST_SKIP() << report.verdict.words;
        if (report.verdict.is_failure()) {
            FAIL() << sentence_of(report.verdict) << "\nreplay: " << report.replay;
        }
        if (report.verdict.kind == Verdict::Kind::distrusted) {
            FAIL() << "distrusted: " << report.verdict.words;
        }
    }

private:
    /// What a reader of GoogleTest's XML needs to see it again.
    void record(const PropertyReport& report) const {
        RecordProperty("seed", shown(state_->options.seed_text));
        const std::string& file = report.saved.empty() ? report.from_corpus : report.saved;
        if (!file.empty()) RecordProperty("counterexample", file);
        if (!report.replay.empty()) RecordProperty("replay", report.replay);
    }

    /// Whatever is thrown on the way is told in place of a verdict: a test that ran reports.
    void judge(PropertyReport& report) {
        constexpr int hangs_max = 3;
        try {
            if (state_->hangs >= hangs_max)
                report.verdict = Verdict::skipped("not exercised: the subject hung three times");
            else if (property_ == &large_cases_property())
                run_large_cases(report, *state_);
            else if (property_ != nullptr)
                run_property(report, *state_, *property_);
            else
                run_small_worlds(report, *state_);
        } catch (const std::exception& error) {
            const std::string words = shown(error.what());
            if (!report.verdict.is_failure())
                report.verdict = Verdict::distrusted("could not be judged: " + words);
            else if (report.saved.empty())
                report.save_trouble = words;
        }
    }

    std::shared_ptr<SuiteState> state_;
    Level level_;
    const Property* property_;  // null: the small worlds
};

}  // namespace

std::uint64_t seed_of(const std::string& text) { return fnv1a(text); }

std::string current_case_path(const std::string& save_folder) {
    return save_folder + "/current-case.json";
}

std::string test_name(const Capabilities& subject, Level level) {
    std::string name = subject.name;
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0 && c != '_'; },
        '_');
    return name + "/" + std::string(name_of(level));
}

int register_suite(Subject& subject, const SuiteOptions& options, const SuiteListener& listener) {
    const auto state = std::make_shared<SuiteState>(SuiteState{subject, options, listener});
    const FeatureSet features = subject.capabilities().features;
    const auto add = [&](Level level, const Property* property, const std::string& name) {
        if (!options.only_property.empty() && options.only_property != name) return;
        if (!features.has(feature_of(level))) return;
        ++state->tests_left;
        const std::string test = test_name(subject.capabilities(), level);
        testing::RegisterTest(
            name.c_str(), test.c_str(), nullptr, nullptr, __FILE__, __LINE__,
            [=]() -> testing::Test* { return new SuiteTest(state, level, property); });
    };
    constexpr std::array levels = {Level::attention, Level::layer};
    for (const Property& property : properties()) {
        for (const Level level : levels) add(level, &property, std::string(property.name));
    }
    for (const Level level : levels) {
        if (options.large.count > 0)
            add(level, &large_cases_property(), std::string(large_cases_property().name));
    }
    for (const Level level : levels) add(level, nullptr, small_worlds_name);
    return state->tests_left;
}

}  // namespace kvcheck
