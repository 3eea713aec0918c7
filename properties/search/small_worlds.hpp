// SPDX-License-Identifier: Apache-2.0
// Every case of a small size instead of some of a large one: two rows of up to five slots, every
// padding of both, every composition of the slots into calls, every position rule, with numbers
// that say where they come from. What is judged is that outputs and row numbers are right.
#pragma once

#include <limits>

#include "properties/search/search.hpp"

namespace kvcheck {

struct SmallWorldsResult {
    Index cases = 0;
    Index passed_by = 0;  // tried or left out
    double worst_ratio = 0;
    EvaluationCounts evaluation;
    bool out_of_time = false;
    std::string disturbed;               // as in a SearchResult
    const Property* property = nullptr;  // the one that failed
    std::optional<Counterexample> counterexample;
};

constexpr Index small_world_slots = 5;

/// How many worlds a level has, the smallest first; those of up to `slots_max` slots come before
/// all others.
Index small_worlds_of(Level level, Index slots_max);

/// Walks over the worlds from number `begin` up to `end`, of those of up to `slots_max` slots.
/// Needs: a level that the subject has. Worlds that need a feature it lacks are left out.
SmallWorldsResult search_small_worlds(Subject& subject, Level level, Index slots_max,
                                      const SearchOptions& options, Index begin = 0,
                                      Index end = std::numeric_limits<Index>::max());

}  // namespace kvcheck
