// SPDX-License-Identifier: Apache-2.0
// Rounds and slices (declared in plan.hpp).
#include "properties/rounds/plan.hpp"

#include <algorithm>
#include <array>

namespace kvcheck {
namespace {

/// Where a round ends, of cases; beyond these every round takes as many as the last one.
constexpr std::array<Index, 7> case_rounds = {2, 6, 12, 25, 50, 100, 200};
/// Worlds are small: a round takes four times as many as the one before.
constexpr Index first_worlds = 40;
constexpr Index worlds_growth = 4;
constexpr Index worlds_max = first_worlds << 20;

/// What one job takes at most: enough to be worth handing out, few enough that nobody waits long
/// for the last one.
constexpr Index cases_a_job = 25;
constexpr Index worlds_a_job = 1000;

Index end_of_round(Job::Kind kind, Index round) {
    // One a round, once small cases have had their say.
    if (kind == Job::Kind::large) return std::max<Index>(round - 2, 0);
    if (kind == Job::Kind::worlds) {
        Index end = first_worlds;
        for (Index n = 0; n < round && end < worlds_max; ++n) end *= worlds_growth;
        return end;
    }
    constexpr auto listed = Index(case_rounds.size());
    if (round < listed) return case_rounds[std::size_t(round)];
    return case_rounds.back() * (round - listed + 2);
}

}  // namespace

Plan::Plan(const std::vector<Size>& sizes) {
    parts_.reserve(sizes.size());
    for (const Size& size : sizes) parts_.push_back({size});
}

std::vector<Job> Plan::next_round() {
    std::vector<Job> jobs;
    while (jobs.empty() && is_anything_left()) jobs = jobs_of_round();
    return jobs;
}

bool Plan::is_anything_left() const {
    return std::any_of(parts_.begin(), parts_.end(), [this](const Planned& part) {
        return part.done < part.size.count || (round_ == 0 && part.size.replays);
    });
}

std::vector<Job> Plan::jobs_of_round() {
    std::vector<Job> jobs;
    const auto add = [&](std::size_t part, Job::Kind kind, Index begin, Index end) {
        jobs.push_back({kind, number_++, round_, part, begin, end, {}});
    };
    for (std::size_t part = 0; round_ == 0 && part < parts_.size(); ++part) {
        if (parts_[part].size.replays) add(part, Job::Kind::replay, 0, 0);
    }
    for (std::size_t part = 0; part < parts_.size(); ++part) {
        auto& [size, done] = parts_[part];
        const Index end = std::min(size.count, end_of_round(size.kind, round_));
        const Index most = size.kind == Job::Kind::worlds ? worlds_a_job : cases_a_job;
        for (Index begin = done; begin < end; begin += most) {
            add(part, size.kind, begin, std::min(end, begin + most));
        }
        done = std::max(done, end);
    }
    ++round_;
    return jobs;
}

void Plan::close(std::size_t part) { parts_[part].done = parts_[part].size.count; }

Index Plan::total(Job::Kind kind) const {
    Index sum = 0;
    for (const auto& [size, done] : parts_) sum += size.kind == kind ? size.count : 0;
    return sum;
}

}  // namespace kvcheck
