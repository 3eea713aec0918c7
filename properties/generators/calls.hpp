// SPDX-License-Identifier: Apache-2.0
// From rows of slots to a program: tokens handed out in calls, sizes that follow from them, and a
// program that a subject with few features can still take.
#pragma once

#include <vector>

#include "model/case.hpp"

namespace kvcheck {

/// The slots of a row: real or padding.
using RowSlots = std::vector<bool>;

/// Adds appends of zero tokens. ends[r] are the boundaries of the calls in row r: the first is 0,
/// the last the row's size, and every row has equally many.
void append_calls(Case& test_case, const std::vector<RowSlots>& rows,
                  const std::vector<std::vector<Index>>& ends, bool with_offsets);

/// The same program token by token, which asks least of a subject.
Case token_by_token(const Case& test_case);

/// Makes the first row real where none has a real token.
void force_a_real_token(std::vector<RowSlots>& rows);

}  // namespace kvcheck
