// SPDX-License-Identifier: Apache-2.0
// Hands the jobs of a plan to a crew and takes in what became of them, strictly in the order of the
// plan: a job that ran ahead counts only where a single process would have run it. Findings, their
// order and all counts are therefore the same for every size of a crew.
#pragma once

#include <deque>
#include <map>
#include <vector>

#include "properties/rounds/plan.hpp"
#include "properties/suite.hpp"

namespace kvcheck {

class Rounds {
public:
    /// All of these outlive it.
    Rounds(const std::vector<Part>& parts, const Capabilities& capabilities,
           const SuiteOptions& options, const SuiteListener& listener, Crew& crew);

    void run();
    /// What became of a part; null where the run ended before it did.
    const PropertyReport* report_of(std::size_t part) const;

private:
    struct State {
        PropertyReport report;
        bool closed = false;  // nothing more is tried
        bool has_verdict = false;
        int place = 0;  // where in the crew it was seen
    };
    struct Begun {
        Job job;
        std::optional<JobResult> result;
        bool skipped = false;
    };

    void start_jobs();
    void take_in_what_is_ready();
    void take_in(const Job& job, JobResult result);
    void close(std::size_t part);
    void fail(State& state, const JobResult& result);
    void save_unless_known(PropertyReport& report);
    void collect(JobResult result);
    void shrink_the_most_telling();
    std::size_t shrink_as_told_best(std::size_t best);
    JobResult shrunk(int place, std::size_t part, const Unshrunk& found);
    void conclude(std::size_t part);
    void tell_progress();
    std::vector<PropertyReport*> reports();

    const std::vector<Part>& parts_;
    const SuiteOptions& options_;
    const SuiteListener& listener_;
    Crew& crew_;
    std::vector<State> states_;
    Plan plan_;
    std::deque<Job> waiting_;           // planned and not begun
    std::deque<Begun> begun_;           // in order, the first not yet taken in
    std::map<Index, Index> under_way_;  // number of a running job to its cases that are done
    Progress told_;
    int hangs_ = 0;
    bool over_ = false;
    Index failed_round_;    // the first in which a failure was seen, taken in or not
    Index taken_in_round_;  // the first of a failure that was taken in
};

}  // namespace kvcheck
