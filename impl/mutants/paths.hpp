// SPDX-License-Identifier: Apache-2.0
// Subjects that are wrong on one path only: in calls of one token, in calls of several, in rows
// behind the first, or where a block is full.
#pragma once

#include <vector>

#include "impl/mutants/catalogue.hpp"

namespace kvcheck {

std::vector<MutantEntry> mutants_of_paths();

}  // namespace kvcheck
