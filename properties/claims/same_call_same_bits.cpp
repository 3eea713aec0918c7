// SPDX-License-Identifier: Apache-2.0
// Clause 0: the same program on two sessions gives the same bits, whatever the subject computes.
#include "properties/catalogue.hpp"
#include "properties/drive/judge.hpp"

namespace kvcheck {

Verdict same_call_same_bits(Subject& subject, const Case& value, Oracle& oracle) {
    const Capabilities& capabilities = subject.capabilities();
    Judge judge(capabilities);
    const auto history = history_of(value);
    const Run first = drive(subject, value);
    for (const char* const context : {"the second time, ", "the third time, "}) {
        judge_same_outputs(judge, capabilities, oracle, history, first, drive(subject, value),
                           context);
    }
    return judge.verdict();
}

}  // namespace kvcheck
