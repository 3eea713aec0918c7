// SPDX-License-Identifier: Apache-2.0
// GoogleTest's own flags and variables: those that apply to a run are handed on, and those that
// would end the program in GoogleTest's way, or ask for what a run cannot give, are bad input.
#pragma once

#include <string>
#include <vector>

namespace kvcheck {

/// True where its help was asked for, which it has printed then; nothing is to be run. Throws
/// InputError for a flag, a variable or a place for its report that cannot be honoured.
bool start_googletest(const std::vector<std::string>& flags);

}  // namespace kvcheck
