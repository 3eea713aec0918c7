// SPDX-License-Identifier: Apache-2.0
// Clauses 1, 2, 3 and 5: every specified output, in the case's own split, against the oracle. A
// subject may have another path where less is asked of it, so it is driven twice: asked for
// everything it can show, and for outputs alone. Dead queries have a property of their own.
#include "properties/catalogue.hpp"
#include "properties/drive/asked.hpp"
#include "properties/drive/judge.hpp"

namespace kvcheck {

Verdict outputs_match_the_oracle(Subject& subject, const Case& test_case, Oracle& oracle) {
    Judge judge(subject.capabilities());
    const bool asserts = subject.capabilities().features.has(Feature::query_offset);
    const Case asked = asserts ? with_offsets(test_case) : test_case;
    judge_outputs(judge, drive(subject, asked, everything(asked)), oracle);
    if (judge.failed()) return judge.verdict();
    judge.in_variant("asked for outputs alone");
    judge_outputs(judge, drive(subject, without_offsets(test_case), outputs_only()), oracle);
    return judge.verdict();
}

}  // namespace kvcheck
