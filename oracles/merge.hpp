// SPDX-License-Identifier: Apache-2.0
// The merge of partial attention (clause 17; docs/error_bound.md, section 16): what the outputs of
// several parts of a query's keys come to, weighted by their log-sum-exps, and how far that may be
// from the output over all keys.
#pragma once

#include <vector>

#include "oracles/answer.hpp"

namespace kvcheck {

/// One part of the keys that a query sees in one head, which holds one of them at least.
struct KeyPart {
    double log_sum_exp = 0;      // as it was seen, of natural logarithms
    Answer right;                // what it is
    std::vector<double> output;  // as it was seen, [elements]
    std::vector<Answer> right_output;
};

/// The merge of the outputs that were seen, in fifty digits and rounded to double, [elements].
/// Needs: a part.
std::vector<double> merged(const std::vector<KeyPart>& parts);

/// `whole`, the output over all keys, [elements], with the bound of a merge of these parts.
std::vector<Answer> bounded_by(const std::vector<KeyPart>& parts, const std::vector<Answer>& whole);

}  // namespace kvcheck
