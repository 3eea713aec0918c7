// SPDX-License-Identifier: Apache-2.0
// Clause 4: the weights of a query sum to one, exactly summed, within the bound. Where a subject
// shows no weights the sum is read from its outputs: with every value equal to one, o is the sum.
#include <cmath>

#include "model/types/arrays.hpp"
#include "model/walk.hpp"
#include "properties/catalogue.hpp"
#include "properties/drive/asked.hpp"
#include "properties/drive/judge.hpp"

namespace kvcheck {
namespace {

/// Neumaier's sum. Its two parts are kept apart: rounding them to one double would cost a double
/// subject a third of its bound.
WeightSum sum_of(const std::vector<double>& weights) {
    double sum = 0;
    double low = 0;
    for (const double weight : weights) {
        const double next = sum + weight;
        low += std::abs(sum) >= std::abs(weight) ? (sum - next) + weight : (weight - next) + sum;
        sum = next;
    }
    return {sum, low};
}

void judge_sums(Judge& judge, Oracle& oracle, const Run& run) {
    judge.trouble(run);
    if (judge.failed()) return;
    const Judged outputs(run, oracle);
    for (const Output& output : outputs) {
        if (!output.is_answered()) continue;
        std::vector<WeightSum> sums;
        for (const auto& weights : output.seen().weights) sums.push_back(sum_of(weights));
        const TokenTruth& truth = output.truth_of_sums(sums);
        if (!truth.in_domain) continue;
        Place place = place_of(output, oracle.spec());
        for (std::size_t head = 0; head < sums.size(); ++head) {
            place.head = Index(head);
            judge.within(truth.weight_sum[head].without(sums[head].rest), sums[head].most,
                         "sum of weights", place, truth.score_size[head]);
        }
    }
    judge.show_row(outputs, oracle.spec());
}

/// The case with every value equal to one; a layer gets it from a value projection that is only
/// bias.
Case with_unit_values(const Case& test_case) {
    Case unit = test_case;
    if (test_case.spec.level == Level::layer) {
        Projection& value = unit.parameters.value;
        value.weight.assign(value.weight.size(), 0.0F);
        value.bias.assign(value.bias.size(), 1.0F);
        return unit;
    }
    for_each_token(unit, [&](const TokenSite&, Token& token) {
        for_each_input(unit.spec, [&](const TokenArray& array, Index begin, Index end) {
            if (array.role != Role::value) return;
            std::fill(token.input.begin() + begin, token.input.begin() + end, 1.0F);
        });
    });
    return unit;
}

}  // namespace

Verdict rows_normalise(Subject& subject, const Case& test_case, Oracle& oracle) {
    const Capabilities& capabilities = subject.capabilities();
    Judge judge(capabilities);
    if (capabilities.features.has(Feature::weights)) {
        judge_sums(judge, oracle, drive(subject, test_case, asked_with_weights(test_case)));
        return judge.verdict();
    }
    if (test_case.spec.level == Level::layer && !test_case.spec.biases) {
        return capabilities.features.has(Feature::biases)
                   ? Verdict::distrusted("neither weights nor a value bias to read the sum from")
                   : Verdict::skipped("no weights and no biases");
    }
    const Case unit = with_unit_values(test_case);
    Oracle unit_oracle(unit.spec, unit.parameters, capabilities.profile, oracle.evaluation(),
                       stored_keys_of(capabilities.features));
    judge.in_variant("with every value equal to one");
    judge_outputs(judge, drive(subject, unit, asked_for(unit)), unit_oracle);
    oracle.count(unit_oracle.counts());
    return judge.verdict();
}

}  // namespace kvcheck
