// SPDX-License-Identifier: Apache-2.0
// Clause 4: the weights of a query sum to one, exactly summed, within the bound. Where a subject
// shows no weights the sum is read from its outputs: with every value equal to one, o is the sum.
#include <fmt/format.h>

#include "properties/catalogue.hpp"
#include "properties/drive/judge.hpp"

namespace kvcheck {
namespace {

/// Neumaier's sum; for what a row holds its error is far below the bound of one float.
double sum_of(const std::vector<double>& weights) {
    double sum = 0;
    double low = 0;
    for (const double weight : weights) {
        const double next = sum + weight;
        low += std::abs(sum) >= std::abs(weight) ? (sum - next) + weight : (weight - next) + sum;
        sum = next;
    }
    return sum + low;
}

void judge_sums(Judge& judge, const Case& value, Oracle& oracle, const Run& run) {
    judge.trouble(run);
    if (judge.failed()) return;
    const auto history = history_of(value);
    const auto truths = truths_of(oracle, history, run);
    for (std::size_t e = 0; e < history.size(); ++e) {
        for (std::size_t r = 0; r < history[e].size(); ++r) {
            for (std::size_t slot = 0; slot < history[e][r].size(); ++slot) {
                const TokenTruth& truth = truths[e][r]->tokens[slot];
                if (!is_living(value.spec, history[e][r], slot) || !truth.in_domain) continue;
                const auto& heads = run.tokens[e][r][slot].weights;
                for (std::size_t head = 0; head < heads.size(); ++head) {
                    judge.within(truth.weight_sum[head], sum_of(heads[head]), "sum of weights",
                                 [&] {
                                     return fmt::format("{}, head {}, sum of the weights",
                                                        place_of(e, r, slot), head);
                                 });
                }
            }
        }
    }
}

/// The case with every value equal to one; a layer gets it from a value projection that is only
/// bias.
Case with_unit_values(const Case& value) {
    Case unit = value;
    const Spec& spec = value.spec;
    if (spec.level == Level::layer) {
        unit.parameters.value.weight.assign(unit.parameters.value.weight.size(), 0.0F);
        unit.parameters.value.bias.assign(unit.parameters.value.bias.size(), 1.0F);
        return unit;
    }
    for (Command& command : unit.program) {
        auto* append = std::get_if<Append>(&command);
        if (append == nullptr) continue;
        for (auto& row : append->rows) {
            for (Token& token : row) {
                std::fill(token.input.end() - spec.value_size(), token.input.end(), 1.0F);
            }
        }
    }
    return unit;
}

}  // namespace

Verdict rows_normalise(Subject& subject, const Case& value, Oracle& oracle) {
    const Capabilities& capabilities = subject.capabilities();
    Judge judge(capabilities);
    if (capabilities.features.has(Feature::weights)) {
        judge_sums(judge, value, oracle, drive(subject, value));
        return judge.verdict();
    }
    if (value.spec.level == Level::layer && !value.spec.biases) {
        return capabilities.features.has(Feature::biases)
                   ? Verdict::distrusted("neither weights nor a value bias to read the sum from")
                   : Verdict::skipped("no weights and no biases");
    }
    const Case unit = with_unit_values(value);
    Oracle unit_oracle(unit.spec, unit.parameters, capabilities.profile);
    judge_outputs(judge, unit_oracle, history_of(unit), drive(subject, unit),
                  "with every value equal to one, ");
    return judge.verdict();
}

}  // namespace kvcheck
