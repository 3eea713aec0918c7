// SPDX-License-Identifier: Apache-2.0
// The numbers of clause 7 beside the contract's.
#pragma once

#include "properties/drive/judge.hpp"

namespace kvcheck {

/// Every number that the subject reported of a row is the contract's, after every command of the
/// case. Needs: a run of it with numbers after each step, or one that ended early.
void judge_numbers(Judge& judge, const Case& test_case, const Run& run);

/// Those of every row after one command.
void judge_numbers(Judge& judge, const CacheState& state, const std::vector<RowNumbers>& rows,
                   Index command);

}  // namespace kvcheck
