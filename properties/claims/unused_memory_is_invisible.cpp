// SPDX-License-Identifier: Apache-2.0
// Clauses 3 and 4: what lies in a call's inputs beyond a row's count, and what a subject holds
// beyond a row's length, is not part of anything. The same program with three different contents
// there gives the same bits.
#include <limits>

#include "properties/catalogue.hpp"
#include "properties/drive/judge.hpp"
#include "properties/drive/variants.hpp"

namespace kvcheck {

Verdict unused_memory_is_invisible(Subject& subject, const Case& value, Oracle& oracle) {
    const Capabilities& capabilities = subject.capabilities();
    const bool beyond_counts = features_of(value).has(Feature::unequal_counts);
    if (!beyond_counts && !capabilities.features.has(Feature::poison_unused)) {
        return capabilities.features.has(Feature::unequal_counts)
                   ? Verdict::distrusted("no unused memory within reach")
                   : Verdict::skipped("no unequal_counts and no poison_unused");
    }
    Judge judge(capabilities);
    const auto history = history_of(value);
    DriveOptions zeros;
    zeros.beyond_count = 0.0F;
    zeros.poison_unused = 0.0;
    const Run expected = drive(subject, value, zeros);
    judge_outputs(judge, oracle, history, expected);
    std::vector<float> contents = finite_contents();
    contents.push_back(std::numeric_limits<float>::quiet_NaN());
    contents.push_back(std::numeric_limits<float>::infinity());
    for (const float content : contents) {
        DriveOptions options;
        options.beyond_count = content;
        options.poison_unused = content;
        judge_same_outputs(judge, capabilities, oracle, history, expected,
                           drive(subject, value, options),
                           "with other contents in unused memory, ");
    }
    return judge.verdict();
}

}  // namespace kvcheck
