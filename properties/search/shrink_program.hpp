// SPDX-License-Identifier: Apache-2.0
// What candidates with another program are made by, wherever the idea comes from.
#pragma once

#include "properties/search/shrink.hpp"

namespace kvcheck {

using Shared = std::shared_ptr<const Case>;

/// Admissible again; with more room where what took tokens away is gone.
std::optional<Case> repaired(std::optional<Case> test_case);

/// How many rows there are when command n comes.
Index rows_before(const Case& base, std::size_t n);

/// The case without the commands [begin, end). Rows go with the commands that made them; nothing
/// where rows would be missing afterwards.
std::optional<Case> without_commands(const Case& base, std::size_t begin, std::size_t end);

/// Simpler commands in place of those that bring no token.
void add_simpler_commands(const Shared& base, Candidates& list);

}  // namespace kvcheck
