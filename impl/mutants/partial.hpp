// SPDX-License-Identifier: Apache-2.0
// The mutants of log-sum-exps (clause 17), a part of the catalogue.
#pragma once

#include "impl/mutants/catalogue.hpp"

namespace kvcheck {

const std::vector<MutantEntry>& mutants_of_partial_attention();

}  // namespace kvcheck
