// SPDX-License-Identifier: Apache-2.0
// Subjects that publish prefixes, or find them, wrongly (clause 11).
#pragma once

#include <vector>

#include "impl/mutants/catalogue.hpp"

namespace kvcheck {

std::vector<MutantEntry> mutants_of_prefixes();

}  // namespace kvcheck
