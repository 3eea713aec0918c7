// SPDX-License-Identifier: Apache-2.0
// Other ways of cutting the same tokens into calls (clause 8). Between two commands that bring no
// token, a segment, only the order within each row matters; everything else of a program stays.
#pragma once

#include <vector>

#include "model/case.hpp"

namespace kvcheck {

/// The tokens of one segment, in order.
using Segment = std::vector<std::vector<Token>>;  // [rows][tokens]

/// The appends before, between and after the other commands, each run of them joined: one segment
/// more than there are other commands.
std::vector<Segment> segments_of(const Case& test_case);
Index longest_row(const Segment& segment);

/// The same program with every segment cut anew: the n-th call gives row r its next
/// counts[n][r] tokens. Query offsets are given where the case gave any.
using Counts = std::vector<std::vector<Index>>;  // [calls][rows]
Case resplit(const Case& test_case, const std::vector<Counts>& segments);

/// The counts of a segment in calls of these sizes: a row that is shorter ends earlier, and what
/// the sizes leave over comes in one more call. None where the segment is empty.
Counts counts_of(const Segment& segment, const std::vector<Index>& sizes);

/// Restores what follows from the rest of the program: query offsets where there are any. Needs: an
/// admissible program but for those.
void repair_offsets(Case& test_case);

/// Makes a program admissible again from which something was taken: lengths and slots beyond a row
/// are cut to what is there, commands that mean nothing any more are left out, tokens of finished
/// rows too, parents that are gone are none, and query offsets are restored. False where that is
/// not enough.
bool repair(Case& test_case);

}  // namespace kvcheck
