// SPDX-License-Identifier: Apache-2.0
// One test case: a value that holds everything a verdict depends on except the subject. And its
// history, which is what remains of a program when the way it was cut into calls is forgotten
// (clause 8): the oracle answers histories, so all splits of one share an answer.
#pragma once

#include <string>
#include <vector>

#include "model/command.hpp"
#include "model/types/capabilities.hpp"
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
/// parameters that contradict themselves, a token of the wrong size, an append that the cache state
/// machine objects to, a real token with a value that is not finite (clause 18).
/// `prefix` opens the place that a message names.
void validate(const Case& value, const std::string& prefix = "");

using RowTokens = std::vector<Token>;              // in slot order
using Epoch = std::vector<RowTokens>;              // [rows], between two resets
std::vector<Epoch> history_of(const Case& value);  // at least one epoch

/// The same history with every epoch appended as `split` says: the n-th append gives row r the next
/// split[n][r] tokens. Offsets are given where `value` gave any.
Case resplit(const Case& value, const std::vector<std::vector<std::vector<Index>>>& splits);

/// The features a subject needs to be given this case.
FeatureSet features_of(const Case& value);

/// What is printed of a case's size.
struct CaseSize {
    Index rows = 0;
    Index query_heads = 0;
    Index tokens = 0;  // slots appended over the longest row, all epochs together
    Index commands = 0;
    bool operator==(const CaseSize&) const = default;
};
CaseSize size_of(const Case& value);

}  // namespace kvcheck
