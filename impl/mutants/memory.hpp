// SPDX-License-Identifier: Apache-2.0
// Subjects whose entries lie in the wrong place.
#pragma once

#include <vector>

#include "impl/mutants/catalogue.hpp"

namespace kvcheck {

std::vector<MutantEntry> mutants_of_memory();

}  // namespace kvcheck
