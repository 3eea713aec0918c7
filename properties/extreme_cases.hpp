// SPDX-License-Identifier: Apache-2.0
// The cases of generators/extremes.hpp, scheduled: in a whole run every property meets every one of
// them at each level, whatever the seed; the seed draws all else about them. They count among the
// cases of a property.
#pragma once

#include "properties/generators/extremes.hpp"
#include "properties/search/search.hpp"

namespace kvcheck {

/// The extremes that a search of options.cases cases tries, in order: all of them from 200 cases
/// on, fewer in proportion, at least one. Which ones depends on seed, property and level.
std::vector<Extreme> scheduled(const Property& property, Level level, const SearchOptions& options);

/// Tries the scheduled ones that the subject can be given. `before` is what random cases found out;
/// nothing is tried where they ended the search, and counts go on from theirs.
SearchResult search_extremes(const Property& property, Subject& subject, Level level,
                             const SearchOptions& options, SearchResult before = {});

/// A few random cases, the scheduled ones, then random ones again: options.cases together.
SearchResult search_with_extremes(const Property& property, Subject& subject, Level level,
                                  const SearchOptions& options);

}  // namespace kvcheck
