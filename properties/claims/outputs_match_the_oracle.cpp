// SPDX-License-Identifier: Apache-2.0
// Clauses 1, 2, 3 and 5: every specified output, in the case's own split, against the oracle. Dead
// queries have a property of their own.
#include "properties/catalogue.hpp"
#include "properties/drive/judge.hpp"

namespace kvcheck {

Verdict outputs_match_the_oracle(Subject& subject, const Case& value, Oracle& oracle) {
    Judge judge(subject.capabilities());
    judge_outputs(judge, oracle, history_of(value), drive(subject, value));
    return judge.verdict();
}

}  // namespace kvcheck
