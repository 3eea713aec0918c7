// SPDX-License-Identifier: Apache-2.0
// The cases of generators/extremes.hpp, scheduled: in a whole run every property meets every one of
// them at each level, whatever the seed; the seed draws all else about them. They count among the
// cases of a property.
#pragma once

#include <limits>

#include "properties/generators/extremes.hpp"
#include "properties/search/search.hpp"

namespace kvcheck {

/// The extremes that a search of options.cases cases tries, in order: all of them from 200 cases
/// on, fewer in proportion, at least one. Which ones depends on seed, property and level.
std::vector<Extreme> scheduled(const Property& property, Level level, const SearchOptions& options);

/// Tries the scheduled ones that the subject can be given. `before` is what random cases found out;
/// nothing is tried where they ended the search, and counts go on from theirs. Of the scheduled
/// ones, those from number `begin` up to `end` alone.
SearchResult search_extremes(const Property& property, Subject& subject, Level level,
                             const SearchOptions& options, SearchResult before = {},
                             Index begin = 0, Index end = std::numeric_limits<Index>::max());

/// How many places the cases of a search have: a few random ones, the scheduled ones, then random
/// ones again, options.cases together. A scheduled one that the subject lacks a feature for leaves
/// its place empty.
Index places_of(const Property& property, Level level, const SearchOptions& options);

/// The cases in places options.first to `end`, judged as if those before had been judged.
SearchResult search_with_extremes(const Property& property, Subject& subject, Level level,
                                  const SearchOptions& options, Index end);

}  // namespace kvcheck
