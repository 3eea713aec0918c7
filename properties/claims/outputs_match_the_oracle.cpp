// SPDX-License-Identifier: Apache-2.0
// Clauses 1, 2, 3 and 5: every specified output, in the case's own split, against the oracle. Dead
// queries have a property of their own.
#include "properties/catalogue.hpp"
#include "properties/drive/judge.hpp"

namespace kvcheck {

Verdict outputs_match_the_oracle(Subject& subject, const Case& test_case, Oracle& oracle) {
    Judge judge(subject.capabilities());
    judge_outputs(judge, drive(subject, test_case), oracle);
    return judge.verdict();
}

}  // namespace kvcheck
