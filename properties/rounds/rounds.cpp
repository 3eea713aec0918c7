// SPDX-License-Identifier: Apache-2.0
// The loop over jobs (declared in rounds.hpp).
#include "properties/rounds/rounds.hpp"

#include <algorithm>
#include <limits>

#include "model/types/assert.hpp"
#include "properties/catalogue.hpp"
#include "properties/extreme_cases.hpp"
#include "properties/rounds/conclusion.hpp"
#include "properties/search/small_worlds.hpp"

namespace kvcheck {
namespace {

constexpr int hangs_max = 3;
constexpr Index never = std::numeric_limits<Index>::max();

std::vector<Plan::Size> sizes_of(const std::vector<Part>& parts, const Capabilities& capabilities,
                                 const SuiteOptions& options) {
    std::vector<Plan::Size> sizes;
    for (const Part& part : parts) {
        if (part.property == nullptr) {
            sizes.push_back(
                {Job::Kind::worlds, small_worlds_of(part.level, options.small_worlds), false});
            continue;
        }
        if (part.property == &large_cases_property()) {
            sizes.push_back({Job::Kind::large, options.large.count, false});
            continue;
        }
        if (!capabilities.features.has_all(part.property->needs)) {
            sizes.push_back({Job::Kind::cases, 0, false});
            continue;
        }
        const bool replays =
            std::any_of(options.corpus.begin(), options.corpus.end(), [&](const ReplayedFile& one) {
                return belongs_to(one.file, part, capabilities.features);
            });
        sizes.push_back(
            {Job::Kind::cases, places_of(*part.property, part.level, options.search), replays});
    }
    return sizes;
}

}  // namespace

Rounds::Rounds(const std::vector<Part>& parts, const Capabilities& capabilities,
               const SuiteOptions& options, const SuiteListener& listener, Crew& crew)
    : parts_(parts),
      options_(options),
      listener_(listener),
      crew_(crew),
      plan_(sizes_of(parts, capabilities, options)),
      failed_round_(never),
      taken_in_round_(never) {
    const std::vector<Plan::Size> sizes = sizes_of(parts, capabilities, options);
    for (std::size_t n = 0; n < parts.size(); ++n) {
        State state;
        state.report.place = n;
        state.report.property = parts[n].name();
        state.report.level = parts[n].level;
        state.report.asked = sizes[n].count;
        const FeatureSet needs =
            parts[n].property != nullptr ? parts[n].property->needs : FeatureSet{};
        const FeatureSet lacking = needs.without(capabilities.features);
        if (!lacking.empty()) {
            state.report.verdict =
                Verdict::skipped("no " + std::string(name_of(lacking.list().front())));
            state.closed = state.has_verdict = true;
        }
        states_.push_back(std::move(state));
    }
    told_.cases = plan_.total(Job::Kind::cases) + plan_.total(Job::Kind::large);
    told_.worlds = plan_.total(Job::Kind::worlds);
    crew.progress = [this](Index number, Index done) {
        under_way_[number] = done;
        tell_progress();
    };
}

void Rounds::run() {
    while (!over_) {
        start_jobs();
        take_in_what_is_ready();
        if (over_ || (begun_.empty() && waiting_.empty())) break;
        if (!under_way_.empty()) collect(crew_.next());
    }
    if (options_.fail_fast && taken_in_round_ != never) return shrink_the_most_telling();
    for (std::size_t part = 0; part < parts_.size(); ++part) conclude(part);
    tell_common_roots(reports());
    for (PropertyReport* const report : reports()) {
        const bool is_untold = report->verdict.is_failure() && report->same_as.empty() &&
                               report->saved.empty() && report->save_trouble.empty();
        if (is_untold) save_finding(*report, options_);
    }
}

std::vector<PropertyReport*> Rounds::reports() {
    std::vector<PropertyReport*> all;
    all.reserve(states_.size());
    for (State& state : states_) all.push_back(&state.report);
    return all;
}

/// As many as the crew has hands for.
void Rounds::start_jobs() {
    for (int place = 0; place < crew_.size();) {
        if (!crew_.is_idle(place)) {
            ++place;
            continue;
        }
        if (waiting_.empty()) {
            const std::vector<Job> round = plan_.next_round();
            if (round.empty()) return;
            waiting_.assign(round.begin(), round.end());
        }
        Job& job = waiting_.front();
        const bool is_pointless = states_[job.part].closed || hangs_ >= hangs_max;
        // A round in which something failed is the last one, once all of it has been taken in.
        if (!is_pointless && options_.fail_fast && job.round > failed_round_) {
            over_ = begun_.empty();
            return;
        }
        begun_.push_back({std::move(job), std::nullopt, is_pointless});
        waiting_.pop_front();
        if (is_pointless) continue;
        const Job& next = begun_.back().job;
        under_way_[next.number] = 0;
        told_.round = next.round + 1;
        crew_.start(place, next);
    }
}

void Rounds::collect(JobResult result) {
    under_way_.erase(result.number);
    for (Begun& begun : begun_) {
        if (begun.job.number != result.number) continue;
        if (result.search.counterexample) failed_round_ = std::min(failed_round_, begun.job.round);
        Index& done = begun.job.kind == Job::Kind::worlds ? told_.worlds_done : told_.cases_done;
        done += begun.job.end - begun.job.begin;
        begun.result = std::move(result);
        return;
    }
    // What is no longer in the list was left behind by the end of the run.
}

void Rounds::take_in_what_is_ready() {
    while (!over_ && !begun_.empty() && (begun_.front().result || begun_.front().skipped)) {
        Begun first = std::move(begun_.front());
        begun_.pop_front();
        if (!first.skipped) take_in(first.job, std::move(*first.result));
    }
    tell_progress();
}

void Rounds::close(std::size_t part) {
    states_[part].closed = true;
    plan_.close(part);
}

void Rounds::take_in(const Job& job, JobResult result) {
    State& state = states_[job.part];
    if (options_.fail_fast && job.round > taken_in_round_) {
        over_ = true;
        return;
    }
    if (state.closed || hangs_ >= hangs_max) return;
    PropertyReport& report = state.report;
    report.seconds += result.seconds;
    report.corpus_cases += result.replayed;
    report.small_worlds += result.worlds;
    report.large_cases += result.large;
    report.places_done += result.places;
    if (report.disk_trouble.empty()) report.disk_trouble = result.disk_trouble;
    const bool found = result.search.counterexample.has_value();
    if (job.kind == Job::Kind::worlds && found)
        result.search.counterexample->found_at += report.small_worlds - result.worlds;
    if (job.kind == Job::Kind::replay) {
        if (found) report.search.counterexample = std::move(result.search.counterexample);
    } else {
        report.search = joined(std::move(report.search), std::move(result.search));
    }
    if (found) {
        taken_in_round_ = std::min(taken_in_round_, job.round);
        state.place = result.place;
        fail(state, result);
        close(job.part);
        return;
    }
    if (!result.trouble.empty()) {
        report.verdict = Verdict::distrusted("could not be judged: " + result.trouble);
        state.has_verdict = true;
    }
    if (!result.trouble.empty() || report.search.out_of_time) close(job.part);
}

void Rounds::fail(State& state, const JobResult& result) {
    PropertyReport& report = state.report;
    report.verdict = report.search.counterexample->verdict;
    report.broken = result.property;
    report.from_corpus = result.from_file;
    state.has_verdict = true;
    ++told_.failed;
    const bool hangs = report.verdict.diagnosis == timeout_diagnosis;
    hangs_ += hangs ? 1 : 0;
    if (!options_.fail_fast)
        save_unless_known(report);
    else if (hangs)
        over_ = true;  // each of them is dear
}

/// A case that fails only after others is worth a file once.
void Rounds::save_unless_known(PropertyReport& report) {
    const bool is_known = report.verdict.needs_more_than_the_case() &&
                          std::any_of(states_.begin(), states_.end(), [&](const State& state) {
                              const PropertyReport& other = state.report;
                              return &other != &report && !other.saved.empty() &&
                                     is_same_trouble(other.verdict, report.verdict);
                          });
    if (!is_known) save_finding(report, options_);
}

/// With the first failures that are seen the run ends; the one that says most is told.
void Rounds::shrink_the_most_telling() {
    std::vector<std::size_t> failed;
    for (std::size_t part = 0; part < parts_.size(); ++part) {
        if (states_[part].has_verdict && states_[part].report.verdict.is_failure())
            failed.push_back(part);
    }
    const SaysMore says_more(reports());
    const auto best = *std::min_element(failed.begin(), failed.end(), [&](auto a, auto b) {
        return says_more(states_[a].report, states_[b].report);
    });
    State& state = states_[best];
    PropertyReport& report = state.report;
    for (const std::size_t part : failed) {
        if (part != best) report.failed_beside.push_back(title_of(states_[part].report));
    }
    const std::size_t told = report.from_corpus.empty() ? shrink_as_told_best(best) : best;
    State& chosen = states_[told];
    if (told != best) {
        chosen.report.failed_beside = std::move(report.failed_beside);
        std::erase(chosen.report.failed_beside, title_of(chosen.report));
        chosen.report.failed_beside.insert(chosen.report.failed_beside.begin(), title_of(report));
    }
    save_finding(chosen.report, options_);
    for (State& other : states_) other.has_verdict = &other == &chosen;
}

/// Shrinks what the part `best` found. Where plain outputs are wrong on the same case, or on the
/// program that the property made of it, that says more than what else looks at outputs: the part
/// that then tells of it is returned. Only a fault of the very commands that the property is about
/// is told by the property.
std::size_t Rounds::shrink_as_told_best(std::size_t best) {
    State& state = states_[best];
    PropertyReport& report = state.report;
    const Counterexample found = *report.search.counterexample;
    Counterexample whole = found;
    if (found.verdict.driven) whole.test_case = *found.verdict.driven;
    const auto plain = std::find_if(parts_.begin(), parts_.end(), [&](const Part& part) {
        return part.level == report.level && part.name() == outputs_property;
    });
    const bool may_be_plain =
        plain != parts_.end() && report.broken != outputs_property && may_be_of_outputs(found);
    if (may_be_plain) {
        JobResult result = shrunk(state.place, best, {std::string(outputs_property), whole});
        auto& plainly = result.search.counterexample;
        if (plainly && !plainly->verdict.needs_more_than_the_case() &&
            may_be_of_outputs(*plainly) && !is_of_added_commands(*plainly, found)) {
            const auto part = std::size_t(plain - parts_.begin());
            PropertyReport& told = states_[part].report;
            told.broken = outputs_property;
            told.search.counterexample = std::move(plainly);
            told.verdict = told.search.counterexample->verdict;
            told.seconds += result.seconds;
            return part;
        }
    }
    JobResult result = shrunk(state.place, best, {report.broken, found});
    // Where shrinking came to nothing, the case stays as it was found.
    if (result.search.counterexample)
        report.search.counterexample = std::move(result.search.counterexample);
    report.verdict = report.search.counterexample->verdict;
    report.seconds += result.seconds;
    return best;
}

/// The result of a job that shrinks, at the place where the failure was seen.
JobResult Rounds::shrunk(int place, std::size_t part, const Unshrunk& found) {
    while (!crew_.is_idle(place)) collect(crew_.next());
    Job job;
    job.kind = Job::Kind::shrink;
    job.number = -1;
    job.part = part;
    job.found = found;
    crew_.start(place, job);
    JobResult result;
    do result = crew_.next();
    while (result.number != job.number);
    return result;
}

void Rounds::conclude(std::size_t part) {
    State& state = states_[part];
    if (state.has_verdict) return;
    state.has_verdict = true;
    if (hangs_ >= hangs_max && !state.closed)
        state.report.verdict = Verdict::skipped("not exercised: the subject hung three times");
    else
        state.report.verdict = verdict_of(state.report, parts_[part].property == nullptr);
}

const PropertyReport* Rounds::report_of(std::size_t part) const {
    return states_[part].has_verdict ? &states_[part].report : nullptr;
}

void Rounds::tell_progress() {
    if (!listener_.progress) return;
    Progress now = told_;
    for (const Begun& begun : begun_) {
        const auto running = under_way_.find(begun.job.number);
        if (running == under_way_.end()) continue;
        (begun.job.kind == Job::Kind::worlds ? now.worlds_done : now.cases_done) += running->second;
    }
    listener_.progress(now);
}

}  // namespace kvcheck
