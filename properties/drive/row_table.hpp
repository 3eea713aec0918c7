// SPDX-License-Identifier: Apache-2.0
// The row of an output as a table (oracles/row_table.hpp), taken from what was seen and its truth.
#pragma once

#include "oracles/row_table.hpp"
#include "properties/drive/judged.hpp"

namespace kvcheck {

RowTable row_table_of(const Output& output, const Spec& spec, int digits);

}  // namespace kvcheck
