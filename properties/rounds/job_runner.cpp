// SPDX-License-Identifier: Apache-2.0
// The four kinds of jobs (declared in job_runner.hpp).
#include "properties/rounds/job_runner.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>

#include "model/types/assert.hpp"
#include "model/types/shown.hpp"
#include "properties/catalogue.hpp"
#include "properties/extreme_cases.hpp"
#include "properties/search/counterexample_file.hpp"

namespace kvcheck {
namespace {

/// Removes the file of the running case; what stands in the way is told and changes no verdict.
void remove_current_case(const std::string& path, std::string& trouble) {
    std::error_code error;
    std::filesystem::remove(path, error);
    if (!error || error == std::errc::not_a_directory) return;  // then there is no such file either
    if (trouble.empty()) trouble = "cannot remove " + path + ": " + error.message();
}

}  // namespace

std::string Part::name() const {
    return property != nullptr ? std::string(property->name) : small_worlds_name;
}

JobResult JobRunner::run(const Job& job, const std::function<void(Index done)>& progress) {
    JobResult result;
    result.number = job.number;
    SearchOptions search = options_.search;
    search.progress = progress;
    search.shrinks = !options_.fail_fast;
    if (options_.write_ahead) {
        search.before = [&](const Property& property, const Case& test_case) {
            std::string trouble;
            write_case_file(options_.current_case,
                            {test_case,
                             {std::string(property.name), options_.subject_text, "unfinished",
                              "it was running when the process ended", options_.seed_text}},
                            trouble);
            if (result.disk_trouble.empty()) result.disk_trouble = trouble;
        };
    }
    const auto begin = Clock::now();
    try {
        judge(job, search, result);
    } catch (const std::exception& error) {
        result.trouble = shown(error.what());
    }
    if (options_.write_ahead) remove_current_case(options_.current_case, result.disk_trouble);
    result.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    return result;
}

void JobRunner::judge(const Job& job, const SearchOptions& options, JobResult& result) {
    const Part& part = parts_[job.part];
    SearchOptions search = options;
    switch (job.kind) {
        case Job::Kind::replay:
            return replay(part, options, result);
        case Job::Kind::cases:
            search.first = job.begin;
            result.search =
                search_with_extremes(*part.property, subject_, part.level, search, job.end);
            result.property = part.property->name;
            result.places =
                result.search.out_of_time ? result.search.coverage.cases : job.end - job.begin;
            return;
        case Job::Kind::worlds: {
            SmallWorldsResult worlds = search_small_worlds(
                subject_, part.level, options_.small_worlds, search, job.begin, job.end);
            result.worlds = worlds.cases;
            result.places = worlds.passed_by;
            if (worlds.property != nullptr) result.property = worlds.property->name;
            result.search.evaluation = worlds.evaluation;
            result.search.out_of_time = worlds.out_of_time;
            result.search.disturbed = worlds.disturbed;
            result.search.worst_ratio = worlds.worst_ratio;
            result.search.counterexample = std::move(worlds.counterexample);
            return;
        }
        case Job::Kind::large: {
            search.first = job.begin;
            LargeOptions large = options_.large;
            large.count = job.end;
            result.search = search_large_cases(subject_, part.level, large, search);
            result.large = result.search.passed + result.search.powerless;
            result.places = result.search.out_of_time ? result.large : job.end - job.begin;
            result.property = part.property->name;
            return;
        }
        case Job::Kind::shrink: {
            KVCHECK_ASSERT(job.found.has_value());
            const Counterexample& found = job.found->counterexample;
            search.shrinks = true;
            if (options_.fail_fast)
                search.shrink_work_max = std::min(search.shrink_work_max, shrink_work_of_fail_fast);
            result.property = job.found->property;
            result.search.counterexample = shrink(*property_named(result.property), subject_,
                                                  found.test_case, found.verdict, search);
            result.search.counterexample->found_at = found.found_at;
            return;
        }
    }
}

/// Replays the cases of this property and level until one fails.
void JobRunner::replay(const Part& part, const SearchOptions& options, JobResult& result) {
    const FeatureSet allowed = subject_.capabilities().features;
    for (const ReplayedFile& one : options_.corpus) {
        if (!belongs_to(one.file, part, allowed)) continue;
        ++result.replayed;
        const Case& test_case = one.file.test_case;
        if (options.before) options.before(*part.property, test_case);
        const auto judge = [&] { return check(*part.property, subject_, test_case); };
        const Verdict verdict =
            seen_alone(*part.property, subject_, test_case, looked_at_twice(judge(), judge));
        if (!verdict.is_failure()) continue;
        result.property = part.property->name;
        result.from_file = one.path;
        result.search.counterexample = Counterexample{test_case, verdict};
        return;
    }
}

bool is_judged_by_all(const std::string& property) {
    return property.empty() || property == small_worlds_name;
}

bool belongs_to(const CaseFile& file, const Part& part, const FeatureSet& features) {
    const std::string& asked = file.finding.property;
    return part.property != nullptr && (is_judged_by_all(asked) || asked == part.property->name) &&
           file.test_case.spec.level == part.level && features.has_all(features_of(file.test_case));
}

JobResult Solo::next() {
    const Job job = *std::exchange(job_, std::nullopt);
    return runner_.run(job, [&](Index done) {
        if (progress) progress(job.number, done);
    });
}

}  // namespace kvcheck
