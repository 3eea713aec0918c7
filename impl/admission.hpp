// SPDX-License-Identifier: Apache-2.0
// Whether an append may be honoured, decided before anything is touched, so that a refusal leaves
// the state as it was (clause 12). For built-in subjects, and for yours.
#pragma once

#include <string>
#include <vector>

#include "impl/subject.hpp"

namespace kvcheck {

/// Empty where the call fits a session with these lengths, else what is wrong with it.
std::string objection_to(const AppendCall& call, const Spec& spec, ElementType element,
                         const std::vector<Index>& lengths);

}  // namespace kvcheck
