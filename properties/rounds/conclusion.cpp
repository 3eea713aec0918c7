// SPDX-License-Identifier: Apache-2.0
// Verdicts over parts (declared in conclusion.hpp).
#include "properties/rounds/conclusion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "properties/catalogue.hpp"
#include "properties/drive/sentence.hpp"
#include "properties/search/counterexample_file.hpp"

namespace kvcheck {
namespace {

/// With fewer cases than these a time limit has left too little to be trusted; of the small worlds,
/// all of up to so many slots.
constexpr Index cases_least = 30;
constexpr SmallWorlds worlds_least = {3, 0};

/// Cases, small worlds or large cases, whichever the part has.
Index tried(const PropertyReport& report) {
    return report.search.coverage.cases + report.small_worlds + report.large_cases;
}

/// What a time limit has left undone, in words; empty where there is enough.
std::string too_little(const PropertyReport& report, bool of_small_worlds) {
    if (!report.search.out_of_time) return {};
    const Index done = tried(report);
    const Index least = of_small_worlds ? small_worlds_of(report.level, worlds_least) : cases_least;
    if (report.places_done >= std::min(report.asked, least)) return {};
    return fmt::format("the time limit left {} of {} {}, at least {} are needed", done,
                       report.asked, of_small_worlds ? "small worlds" : "cases",
                       std::min(report.asked, least));
}

/// What any property may meet, whatever it asks about.
bool is_common(const Verdict& verdict) {
    return verdict.kind == Verdict::Kind::crashed || verdict.kind == Verdict::Kind::timed_out ||
           verdict.diagnosis == "refusal";
}

}  // namespace

bool is_of_outputs(const Verdict& verdict) {
    return verdict.is_failure() && verdict.diagnosis.rfind("output", 0) == 0;
}

bool may_be_of_outputs(const Counterexample& found) {
    const Verdict& verdict = found.verdict;
    return verdict.is_failure() &&
           (is_of_outputs(verdict) || verdict.diagnosis == "refusal" || verdict.driven != nullptr);
}

bool is_of_added_commands(const Counterexample& plain, const Counterexample& found) {
    if (!found.verdict.driven) return false;
    const std::vector<Command>& driven = found.verdict.driven->program;
    std::set<std::string_view> added;
    for (std::size_t n = found.test_case.program.size(); n < driven.size(); ++n)
        added.insert(name_of(driven[n]));
    bool needs_any = false;
    for (const Command& command : plain.test_case.program) {
        if (std::holds_alternative<Append>(command)) continue;
        needs_any = true;
        if (added.count(name_of(command)) == 0) return false;
    }
    return needs_any;
}

Verdict verdict_of(const PropertyReport& report, bool of_small_worlds) {
    const SearchResult& search = report.search;
    if (!search.disturbed.empty()) return Verdict::distrusted(search.disturbed);
    const Index cases = tried(report);
    if (cases == 0 && of_small_worlds && !search.out_of_time)
        return Verdict::skipped("no world of two rows is within the subject's features");
    if (cases == 0) return Verdict::distrusted("nothing ran");
    const std::string little = too_little(report, of_small_worlds);
    if (of_small_worlds || search.passed > 0)
        return little.empty() ? Verdict::passed(search.worst_ratio) : Verdict::distrusted(little);
    if (!search.lacking.empty()) return Verdict::skipped(search.lacking);
    // A short run has one or two of them.
    if (report.large_cases > 0) return Verdict::skipped("no large case had anything to judge by");
    return Verdict::distrusted("no case had anything to judge by");
}

std::string title_of(const PropertyReport& report) {
    return report.property + " " + std::string(name_of(report.level));
}

SaysMore::SaysMore(const std::vector<PropertyReport*>& reports)
    : outputs_are_wrong_(std::any_of(reports.begin(), reports.end(), [](const auto* report) {
          return report->property == outputs_property && is_of_outputs(report->verdict);
      })) {}

bool SaysMore::operator()(const PropertyReport& a, const PropertyReport& b) const {
    const auto rank = [&](const PropertyReport& report) {
        const bool common = is_common(report.verdict);
        const bool derived = outputs_are_wrong_ && is_of_outputs(report.verdict) &&
                             report.property != outputs_property;
        const std::size_t place = common ? report.place : telling_rank(report.property);
        const bool vague = report.verdict.needs_more_than_the_case();
        return std::tuple(vague, common, derived, place, report.level);
    };
    return rank(a) < rank(b);
}

bool is_same_trouble(const Verdict& one, const Verdict& other) {
    // What ends a process at its n-th call ends some cases alone and some only after others.
    const bool vague = one.needs_more_than_the_case() || other.needs_more_than_the_case();
    return one.is_failure() && other.is_failure() && one.diagnosis == other.diagnosis &&
           (vague || one.kind == other.kind);
}

void tell_common_roots(const std::vector<PropertyReport*>& reports) {
    const SaysMore says_more(reports);
    for (PropertyReport* const one : reports) {
        if (!one->verdict.is_failure()) continue;
        const PropertyReport* first = one;
        for (const PropertyReport* const other : reports) {
            if (is_same_trouble(other->verdict, one->verdict) && says_more(*other, *first))
                first = other;
        }
        if (first != one) one->same_as = title_of(*first);
    }
}

void save_finding(PropertyReport& report, const SuiteOptions& options) {
    if (!report.search.counterexample) return;
    const Counterexample& found = *report.search.counterexample;
    const bool replays = found.verdict.kind != Verdict::Kind::dependent;
    if (!report.from_corpus.empty()) {
        if (replays) report.replay = options.replay_command(report.from_corpus);
        return;
    }
    if (!found.verdict.is_failure()) return;
    const CaseFile file{found.test_case,
                        {report.broken, options.subject_text, found.verdict.diagnosis,
                         sentence_of(found.verdict), options.seed_text}};
    report.saved = save_counterexample(options.save_folder, file, report.save_trouble);
    if (!report.save_trouble.empty()) report.unsaved = to_text(file);
    if (!report.saved.empty() && replays) report.replay = options.replay_command(report.saved);
}

}  // namespace kvcheck
