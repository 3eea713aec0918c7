// SPDX-License-Identifier: Apache-2.0
// Subjects whose heads, scores or softmax are wrong.
#pragma once

#include <vector>

#include "impl/mutants/catalogue.hpp"

namespace kvcheck {

std::vector<MutantEntry> mutants_of_arithmetic();

}  // namespace kvcheck
