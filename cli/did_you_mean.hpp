// SPDX-License-Identifier: Apache-2.0
// The name that somebody meant who mistyped it: the nearest of those that exist, by insertions,
// deletions, replacements and exchanges of neighbours (Damerau's distance, each place edited once).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kvcheck {

/// How many edits make one text of the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// `; did you mean "NAME"?`, to be put behind what was expected; empty where no name is near: more
/// than a third of what was typed, rounded up, would have to change.
std::string did_you_mean(std::string_view typed, const std::vector<std::string>& names);

}  // namespace kvcheck
