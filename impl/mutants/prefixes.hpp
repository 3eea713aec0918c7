// SPDX-License-Identifier: Apache-2.0
// Mutants of prefixes; a part of the catalogue.
#pragma once

#include <vector>

#include "impl/mutants/catalogue.hpp"

namespace kvcheck {

std::vector<MutantEntry> mutants_of_prefixes();

}  // namespace kvcheck
