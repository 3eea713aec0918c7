// SPDX-License-Identifier: Apache-2.0
// One test case: a value that holds everything a verdict depends on except the subject.
#pragma once

#include <string>
#include <vector>

#include "model/command.hpp"
#include "model/types/feature_set.hpp"
#include "model/types/parameters.hpp"
#include "model/types/spec.hpp"

namespace kvcheck {

struct Case {
    Spec spec;
    Parameters parameters;
    std::vector<Command> program;

    bool operator==(const Case&) const = default;
};

/// Throws InputError where the case is not one that a correct subject must honour: a spec or
/// parameters that contradict themselves, a token of the wrong size, a command that the cache state
/// machine objects to, a real token with a value that is not finite (clause 18).
/// `prefix` opens the place that a message names.
void validate(const Case& test_case, const std::string& prefix = "");

/// The features a subject needs to be given this case.
FeatureSet features_of(const Case& test_case);

/// Those of them that somebody looks at: commands that no tokens follow are carried out, and what
/// they did is not seen.
FeatureSet exercised_by(const Case& test_case);

/// Slots of the longest row at any time.
Index longest_row(const Case& test_case);

bool holds_a_shift(const Case& test_case);

/// What is printed of a case's size.
struct CaseSize {
    Index rows = 0;
    Index query_heads = 0;
    Index tokens = 0;  // appended to the longest row, added up over the segments (splits.hpp)
    Index commands = 0;
    bool operator==(const CaseSize&) const = default;
};
CaseSize size_of(const Case& test_case);

}  // namespace kvcheck
