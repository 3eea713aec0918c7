// SPDX-License-Identifier: Apache-2.0
// What must hold for every subject: a claim in one sentence and one function that judges it on one
// case. Search, replay and the mutants' tests all call the same function; generators are not
// involved.
#pragma once

#include <string_view>

#include "impl/subject.hpp"
#include "model/case.hpp"
#include "oracles/truth.hpp"
#include "oracles/verdict.hpp"

namespace kvcheck {

/// What a case must contain for a property to have something to judge; the generator sees to it.
struct Focus {
    bool padding = false;
    bool dead_queries = false;  // a computed padded query before the first real token
    bool several_rows = false;
    bool unequal_counts = false;
};

struct Property {
    std::string_view name;
    std::string_view claim;   // one sentence
    std::string_view clause;  // of docs/contract.md
    FeatureSet needs;         // of the subject, beyond what a case needs
    Focus focus;
    Verdict (*check)(Subject& subject, const Case& value, Oracle& oracle);
};

}  // namespace kvcheck
