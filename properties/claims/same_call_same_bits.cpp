// SPDX-License-Identifier: Apache-2.0
// Clause 0: the same program on two sessions gives the same bits, whatever the subject computes.
#include "properties/catalogue.hpp"
#include "properties/drive/asked.hpp"
#include "properties/drive/judge.hpp"

namespace kvcheck {

Verdict same_call_same_bits(Subject& subject, const Case& test_case, Oracle& oracle) {
    const Capabilities& capabilities = subject.capabilities();
    Judge judge(capabilities);
    const DriveOptions options = asked_for(test_case);
    const Run first = drive(subject, test_case, options);
    for (const char* const variant : {"the second time", "the third time"}) {
        judge.in_variant(variant);
        judge_same_outputs(judge, capabilities, oracle, first, drive(subject, test_case, options));
    }
    return judge.verdict();
}

}  // namespace kvcheck
