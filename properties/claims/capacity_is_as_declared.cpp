// SPDX-License-Identifier: Apache-2.0
// Clause 7, of subjects that do not refuse a token beyond the capacity. An unbounded one is opened
// with half the capacity that the case fills: nothing may be refused, every output lies within its
// bound, and the lengths go on. What one that evicts must then answer is not checked.
#include "properties/catalogue.hpp"
#include "properties/drive/asked.hpp"
#include "properties/drive/judge.hpp"

namespace kvcheck {
namespace {

void judge_lengths(Judge& judge, const Case& test_case, const Run& run) {
    CacheState state(test_case.spec, position_count(test_case.spec, test_case.parameters));
    Place place;
    for (std::size_t n = 0; n < run.numbers.size(); ++n) {
        state.apply(test_case.program[n]);
        place.command = Index(n);
        for (place.row = 0; place.row < state.row_count(); ++place.row) {
            const auto& length = run.numbers[n][std::size_t(place.row)].length;
            if (length) judge.count(state.row(place.row).length(), *length, "length", place);
        }
    }
}

}  // namespace

Verdict capacity_is_as_declared(Subject& subject, const Case& test_case, Oracle& oracle) {
    const FeatureSet& features = subject.capabilities().features;
    if (features.has(Feature::capacity_evicted))
        return Verdict::skipped("capacity_evicted: what it answers then is not checked yet");
    if (!features.has(Feature::capacity_unbounded))
        return Verdict::skipped("it refuses what is beyond its capacity");
    const Index longest = longest_row(test_case);
    if (longest < 2) return Verdict::distrusted("no row holds more than the least capacity");
    Case tight = test_case;
    tight.spec.capacity = longest / 2;
    DriveOptions options = asked_for(test_case);
    options.numbers_every_step = true;
    const Run run = drive(subject, tight, options);
    Judge judge(subject.capabilities());
    judge_outputs(judge, run, oracle);
    if (!judge.failed()) judge_lengths(judge, test_case, run);
    return judge.verdict();
}

}  // namespace kvcheck
