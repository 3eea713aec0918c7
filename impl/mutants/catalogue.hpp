// SPDX-License-Identifier: Apache-2.0
// Subjects broken on purpose, one fault each, typed as mutant:NAME after --subject. They prove that
// the checker can fail. `minimum` is the size every counterexample must shrink to, and why it
// cannot be smaller stands beside it.
#pragma once

#include <string_view>
#include <vector>

#include "impl/catalogue.hpp"

namespace kvcheck {

struct MutantEntry {
    SubjectEntry subject;
    std::string_view caught_by;  // a property that catches it; the first in the catalogue unless
                                 // one names the fault better
    struct Minimum {
        Index rows, query_heads, tokens, commands;
    } minimum;                // of a counterexample to that property
    std::string_view why;     // nothing smaller shows the fault
    Index cases = 50;         // random cases a level within which it must be caught
    Index beside_a_sink = 0;  // tokens that the minimum has there, where a sink stands for a key
    Minimum other = {0, 0, 0, 0};  // of a second finding that the fault leads to, if there is one
    /// Of one that rows show whose ids differ, or which are finished, if any.
    Minimum third = {0, 0, 0, 0};
};

const std::vector<MutantEntry>& mutants();

}  // namespace kvcheck
