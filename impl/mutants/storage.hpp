// SPDX-License-Identifier: Apache-2.0
// The mutants of narrow storage, a part of the catalogue.
#pragma once

#include "impl/mutants/catalogue.hpp"

namespace kvcheck {

const std::vector<MutantEntry>& mutants_of_storage();

}  // namespace kvcheck
