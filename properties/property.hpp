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

struct Property {
    std::string_view name;
    std::string_view claim;   // one sentence
    std::string_view clause;  // of docs/contract.md
    FeatureSet needs;         // of the subject, beyond what a case needs
    /// What a case must contain, as far as the subject allows, for the property to have something
    /// to judge; of several paddings one. The generator sees to it.
    FeatureSet focus;
    Verdict (*check)(Subject& subject, const Case& test_case, Oracle& oracle);
    /// Only a subject that declares one of these is asked; empty: every subject is.
    FeatureSet asked_of = {};

    bool is_asked_of(const FeatureSet& features) const {
        return asked_of.empty() || features.has_any(asked_of);
    }
};

}  // namespace kvcheck
