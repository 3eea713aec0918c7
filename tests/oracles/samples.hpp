// SPDX-License-Identifier: Apache-2.0
// Single rows of tokens for tests of the bound: longer and wider than the suite's cases, every
// family of values in turn, with padding.
#pragma once

#include "model/case.hpp"
#include "properties/generators/values.hpp"

namespace kvcheck {

struct RowSample {
    Spec spec;  // attention level, one row
    std::vector<Token> tokens;
    Family family = Family::uniform;
};

/// The n-th sample; a pure function of its arguments.
RowSample row_sample(std::uint64_t n, Index slots_max, Index width_max);

}  // namespace kvcheck
