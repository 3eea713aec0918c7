// SPDX-License-Identifier: Apache-2.0
// A case for fewer rows, or for the same rows in another order.
#pragma once

#include "model/case.hpp"

namespace kvcheck {

/// The case with only the given rows, in this order; commands about other rows are gone.
Case with_rows(const Case& test_case, const std::vector<Index>& rows);

}  // namespace kvcheck
