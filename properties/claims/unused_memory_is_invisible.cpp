// SPDX-License-Identifier: Apache-2.0
// Clauses 3 and 4: what lies in a call's inputs beyond a row's count, and what a subject holds
// beyond a row's length, is not part of anything. The same program with three different contents
// there gives the same bits.
#include "properties/catalogue.hpp"
#include "properties/drive/asked.hpp"
#include "properties/drive/judge.hpp"
#include "properties/drive/variants.hpp"

namespace kvcheck {

Verdict unused_memory_is_invisible(Subject& subject, const Case& test_case, Oracle& oracle) {
    const Capabilities& capabilities = subject.capabilities();
    const bool beyond_counts = features_of(test_case).has(Feature::unequal_counts);
    if (!beyond_counts && !capabilities.features.has(Feature::poison_unused)) {
        return capabilities.features.has(Feature::unequal_counts)
                   ? Verdict::distrusted("no unused memory within reach")
                   : Verdict::skipped("no unequal_counts and no poison_unused");
    }
    Judge judge(capabilities);
    const auto drive_over = [&](float content) {
        DriveOptions options = asked_for(test_case);
        options.beyond_count = content;
        options.poison_unused = content;
        return drive(subject, test_case, options);
    };
    const Run expected = drive_over(0);
    judge_outputs(judge, expected, oracle);
    std::vector<float> contents = finite_contents(test_case.spec);
    const std::vector<float> nonfinite = nonfinite_contents();
    contents.insert(contents.end(), nonfinite.begin(), nonfinite.begin() + 2);
    judge.in_variant("with other contents in unused memory");
    for (const float content : contents) {
        judge_same_outputs(judge, capabilities, oracle, expected, drive_over(content));
    }
    return judge.verdict();
}

}  // namespace kvcheck
