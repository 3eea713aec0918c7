// SPDX-License-Identifier: Apache-2.0
// A verdict in one sentence for people: which run of the case, where, what was seen, what is right.
#pragma once

#include <string>
#include <vector>

#include "model/types/row_numbers.hpp"
#include "oracles/verdict.hpp"

namespace kvcheck {

std::string sentence_of(const Verdict& verdict);

/// The first number that differs between two states of a session: "length of row 1 is 3, not 2";
/// empty where none does.
std::string difference_of(const std::vector<RowNumbers>& expected,
                          const std::vector<RowNumbers>& seen);

}  // namespace kvcheck
