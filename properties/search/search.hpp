// SPDX-License-Identifier: Apache-2.0
// Finding and shrinking a counterexample. RapidCheck draws the structure and drives the shrinking
// over the case record; the only user of rc::detail is search.cpp. A search never prints and never
// reads the environment.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "properties/property.hpp"
#include "properties/search/coverage.hpp"

namespace kvcheck {

using Clock = std::chrono::steady_clock;

struct SearchOptions {
    std::uint64_t seed = 0;  // of the run; each property's stream follows from it and from its name
    Index cases = 200;       // random cases a property and level
    Evaluation evaluation = Evaluation::certified;
    Index first = 0;      // of them, those before this one are somebody else's
    bool shrinks = true;  // else a failure comes back as it was found, to be shrunk later
    Clock::time_point deadline = Clock::time_point::max();
    /// What shrinking may cost, in steps of oracles/work.hpp: the same on a busy machine and on an
    /// idle one. A try costs what it asks of the subject and of the oracle, at least
    /// `steps_of_a_try`, and `steps_of_a_death` more where a new process is needed after it.
    Index shrink_work_max = 400000;
    /// The last resort, for subjects that take seconds for a call.
    std::chrono::milliseconds shrink_time_max{60000};
    std::chrono::milliseconds hang_time_max{3500};  // likewise, where every try is a hang
    std::function<void(Index done)> progress;       // called after each random case
    std::function<void(const Property&, const Case&)> before;  // called before each check
};

constexpr Index steps_of_a_try = 20;
constexpr Index steps_of_a_death = 2000;
/// What shrinking may cost where somebody waits for the first failure.
constexpr Index shrink_work_of_fail_fast = 100000;

struct Counterexample {
    Case test_case;
    Verdict verdict;
    Index found_at = 0;    // number of the case among those of its search, from 1
    int shrink_steps = 0;  // accepted
    int shrink_tried = 0;
    Index shrink_work = 0;  // steps
    double shrink_seconds = 0;
    bool shrink_stopped = false;  // by the budget, before every simpler case was tried
};

struct SearchResult {
    Coverage coverage;
    Index passed = 0;
    Index powerless = 0;            // cases with nothing to judge by
    std::string lacking;            // what the subject lacks, where that is the reason
    std::string disturbed;          // a SIGKILL of unknown origin that did not come again
    double worst_ratio = 0;         // over passed cases
    EvaluationCounts evaluation;    // over the cases that were drawn, not over their shrinking
    std::uint64_t stream_hash = 0;  // of the random cases in their order
    bool out_of_time = false;
    std::optional<Counterexample> counterexample;
};

/// Judges one case; whatever it throws is our bug and ends the run.
Verdict check(const Property& property, Subject& subject, const Case& test_case,
              Evaluation evaluation = Evaluation::exact);

/// The evaluation of the n-th case of a search, from 1: of certified ones every fiftieth, the first
/// among them, is cross-checked.
Evaluation evaluation_of_case(const SearchOptions& options, Index n);

/// Looks again at a verdict that may be the work of a third party, a SIGKILL: what came the second
/// time, or distrusted where that is no failure. Any other verdict is returned as it is.
Verdict looked_at_twice(const Verdict& first, const std::function<Verdict()>& judge);

/// A failure that was seen in a process with a past, looked at in a new one: as it is where it
/// fails there, too, or where the subject has no process; else *dependent*.
Verdict seen_alone(const Property& property, Subject& subject, const Case& test_case,
                   const Verdict& found);

/// Case n is the same whatever `first` is. Needs: first < cases, or cases 0.
SearchResult search(const Property& property, Subject& subject, Level level,
                    const SearchOptions& options);

/// One search that went on as another one, of the cases after its own.
SearchResult joined(SearchResult result, SearchResult rest);

/// Shrinks a case from anywhere that failed with the verdict `found`. One that does not fail again
/// comes back as it is, and flaky.
Counterexample shrink(const Property& property, Subject& subject, const Case& test_case,
                      const Verdict& found, const SearchOptions& options);

}  // namespace kvcheck
