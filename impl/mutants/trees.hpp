// SPDX-License-Identifier: Apache-2.0
// The mutants of trees (clause 16), a part of the catalogue.
#pragma once

#include "impl/mutants/catalogue.hpp"

namespace kvcheck {

const std::vector<MutantEntry>& mutants_of_trees();

}  // namespace kvcheck
