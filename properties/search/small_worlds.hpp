// SPDX-License-Identifier: Apache-2.0
// Every case of a small size instead of some of a large one: two rows of up to five slots, every
// padding of both, every composition of the slots into calls, every position rule; and at attention
// level every short program (small_programs.hpp). What is judged is that outputs and row numbers
// are right.
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

/// How far the worlds go.
struct SmallWorlds {
    Index slots_max = 5;
    Index commands_max = 3;  // of a program, at attention level
};

/// How many worlds a level has, the smallest first: those of fewer slots come before all others,
/// and then the programs.
Index small_worlds_of(Level level, const SmallWorlds& worlds);

/// Walks over these worlds from number `begin` up to `end`.
/// Needs: a level that the subject has. Worlds that need a feature it lacks are left out.
SmallWorldsResult search_small_worlds(Subject& subject, Level level, const SmallWorlds& worlds,
                                      const SearchOptions& options, Index begin = 0,
                                      Index end = std::numeric_limits<Index>::max());

}  // namespace kvcheck
