// SPDX-License-Identifier: Apache-2.0
// Mutants of queries that bring no key; a part of the catalogue.
#pragma once

#include "impl/mutants/catalogue.hpp"

namespace kvcheck {

std::vector<MutantEntry> mutants_of_asks();

}  // namespace kvcheck
