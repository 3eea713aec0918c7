// SPDX-License-Identifier: Apache-2.0
// Subjects that say wrongly whether tokens would fit.
#pragma once

#include <vector>

#include "impl/mutants/catalogue.hpp"

namespace kvcheck {

std::vector<MutantEntry> mutants_of_admission();

}  // namespace kvcheck
