// SPDX-License-Identifier: Apache-2.0
// Whether an append may be honoured, decided before anything is touched, so that a refusal leaves
// the state as it was (clause 12). For built-in subjects, and for yours.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "impl/subject.hpp"

namespace kvcheck {

/// Empty where the call fits a session with these lengths, else what is wrong with it.
std::string objection_to(const AppendCall& call, const Spec& spec, ElementType element,
                         const std::vector<Index>& lengths);

/// The same of queries that bring no key (clause 15), of which a row may get any number.
std::string objection_to_ask(const AppendCall& call, const Spec& spec, ElementType element);

/// The same of a question whether so many tokens would fit.
std::string objection_to_counts(std::span<const Index> counts, Index rows);

}  // namespace kvcheck
