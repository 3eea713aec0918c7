// SPDX-License-Identifier: Apache-2.0
// Every short program at a small size: all sequences of commands over two rows of at most three
// tokens, each followed by one more token for every row, whose output shows what the commands did.
// Attention level, one head of width 2, every token real: paddings and position rules are the other
// small worlds (small_worlds.hpp).
#pragma once

#include <functional>

#include "model/case.hpp"

namespace kvcheck {

/// How many there are of up to `commands_max` commands, appends among them.
Index small_programs_of(Index commands_max);

/// Visits those numbered from `begin` up to `end`, of those of up to `commands_max` commands, the
/// shortest first, until `visit` returns false. Programs with equal first commands bring equal
/// tokens there.
void for_each_small_program(Index commands_max, Index begin, Index end,
                            const std::function<bool(const Case&)>& visit);

}  // namespace kvcheck
