// SPDX-License-Identifier: Apache-2.0
// Rotary tables of quarter turns. Where keys are turned when they are stored, a shift turns them
// back, and where they are turned when they are read, by another row of the table: in most tables
// the two differ by the rounding of its numbers. In these they are the same to the last bit, since
// row after row adds as many right angles; so they are what shifts are judged with (clause 10).
#pragma once

#include <vector>

#include "model/types/parameters.hpp"
#include "model/types/spec.hpp"

namespace kvcheck {

/// After so many ids the turns begin anew.
constexpr Index turns_period = 4;

/// [positions][2 * steps.size()]: pair i of the row of an id is turned by id * steps[i] right
/// angles.
std::vector<float> quarter_turns(Index positions, const std::vector<Index>& steps);

/// True where a case with these may hold a shift: nothing is turned, or by quarter turns in at
/// least turns_period rows, and keys that are turned when they are stored stay what they are when
/// they are stored again, which integers with a scale need not.
bool admits_shifts(const Spec& spec, const Parameters& parameters);

}  // namespace kvcheck
