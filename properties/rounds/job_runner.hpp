// SPDX-License-Identifier: Apache-2.0
// One job after the other on one subject, in this process.
#pragma once

#include <vector>

#include "properties/rounds/job.hpp"
#include "properties/suite.hpp"

namespace kvcheck {

class JobRunner {
public:
    /// All of these outlive it.
    JobRunner(Subject& subject, const SuiteOptions& options, const std::vector<Part>& parts)
        : subject_(subject), options_(options), parts_(parts) {}

    /// Whatever is thrown on the way is the result's trouble. `progress` is called after each case.
    JobResult run(const Job& job, const std::function<void(Index done)>& progress);

private:
    void judge(const Job& job, const SearchOptions& options, JobResult& result);
    void replay(const Part& part, const SearchOptions& options, JobResult& result);

    Subject& subject_;
    const SuiteOptions& options_;
    const std::vector<Part>& parts_;
};

/// The crew of a run in one process.
class Solo : public Crew {
public:
    Solo(Subject& subject, const SuiteOptions& options, const std::vector<Part>& parts)
        : subject_(subject), runner_(subject, options, parts) {}

    int size() const override { return 1; }
    bool is_idle(int) const override { return !job_.has_value(); }
    void start(int, const Job& job) override { job_ = job; }
    JobResult next() override;
    Status finish() override { return subject_.finish(); }

private:
    Subject& subject_;
    JobRunner runner_;
    std::optional<Job> job_;
};

}  // namespace kvcheck
