// SPDX-License-Identifier: Apache-2.0
// Mutants of the commands of clause 10; a part of the catalogue.
#pragma once

#include "impl/mutants/catalogue.hpp"

namespace kvcheck {

std::vector<MutantEntry> mutants_of_commands();

}  // namespace kvcheck
