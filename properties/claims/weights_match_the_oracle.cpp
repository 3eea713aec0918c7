// SPDX-License-Identifier: Apache-2.0
// Clause 4 through the weights that a subject shows: visible keys within their bound, every other
// slot of the row exactly zero.
#include "properties/catalogue.hpp"
#include "properties/drive/asked.hpp"
#include "properties/drive/judge.hpp"

namespace kvcheck {
namespace {

void judge_weights(Judge& judge, const Output& output, const Spec& spec) {
    const TokenTruth& truth = output.truth_of_weights();
    if (!truth.in_domain) return;
    const std::vector<const Node*> row = output.seen().history.tokens();
    Place place = place_of(output, spec);
    for (std::size_t head = 0; head < truth.weights.size(); ++head) {
        place.head = Index(head);
        const auto& weights = output.seen().weights[head];
        const auto right = weights_by_slot(truth.weights[head], output.seen().token());
        for (std::size_t key = 0; key < weights.size(); ++key) {
            place.key = Index(key);
            const bool future = key >= row.size();
            const char* const diagnosis = future                  ? "weight of the future"
                                          : !row[key]->token.real ? "weight of padding"
                                                                  : "weight";
            judge.within(future ? Answer{} : right[key], weights[key], "weight", place,
                         truth.score_size[head], diagnosis);
        }
    }
}

}  // namespace

Verdict weights_match_the_oracle(Subject& subject, const Case& test_case, Oracle& oracle) {
    Judge judge(subject.capabilities());
    const Run run = drive(subject, test_case, asked_with_weights(test_case));
    judge.trouble(run);
    if (judge.failed()) return judge.verdict();
    const Judged outputs(run, oracle);
    for (const Output& output : outputs) {
        if (output.is_answered()) judge_weights(judge, output, oracle.spec());
    }
    judge.show_row(outputs, oracle.spec());
    return judge.verdict();
}

}  // namespace kvcheck
