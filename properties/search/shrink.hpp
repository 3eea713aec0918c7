// SPDX-License-Identifier: Apache-2.0
// Simpler cases than a given one, simplest ideas first: the program, then rows, tokens, heads and
// widths, then the spec and the padding, then the numbers towards 0, 1, -1, 2, 0.5 and short
// decimals. Every step goes down one fixed order, so that shrinking ends and shrinking twice
// changes nothing. Whether a step still fails is for the search to find out.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "model/case.hpp"

namespace kvcheck {

/// A case that is made when it is asked for; nothing where the idea does not apply.
using Candidate = std::function<std::optional<Case>()>;

std::vector<Candidate> simpler_cases(const std::shared_ptr<const Case>& base);

// The parts, in their order; shrink_*.cpp.
void add_simpler_programs(const std::shared_ptr<const Case>& base, std::vector<Candidate>& list);
void add_simpler_shapes(const std::shared_ptr<const Case>& base, std::vector<Candidate>& list);
void add_simpler_specs(const std::shared_ptr<const Case>& base, std::vector<Candidate>& list);
void add_simpler_numbers(const std::shared_ptr<const Case>& base, std::vector<Candidate>& list);

/// How complicated a number is; shrinking only ever lowers it.
int rank_of(float number);

}  // namespace kvcheck
