// SPDX-License-Identifier: Apache-2.0
// Every case of a small size instead of some of a large one: two rows of up to five slots, every
// padding of both, every composition of the slots into calls, every position rule, with numbers
// that say where they come from. What is judged is that outputs and row numbers are right.
#pragma once

#include "properties/search/search.hpp"

namespace kvcheck {

struct SmallWorldsResult {
    Index cases = 0;
    double worst_ratio = 0;
    EvaluationCounts evaluation;
    bool out_of_time = false;
    std::string disturbed;               // as in a SearchResult
    const Property* property = nullptr;  // the one that failed
    std::optional<Counterexample> counterexample;
};

constexpr Index small_world_slots = 5;

/// Needs: a level that the subject has. Worlds that need a feature it lacks are left out.
SmallWorldsResult search_small_worlds(Subject& subject, Level level, Index slots_max,
                                      const SearchOptions& options);

}  // namespace kvcheck
