// SPDX-License-Identifier: Apache-2.0
// Clause 4: a query that sees no key yields the declared o, before Wo, and weights that are zero.
#include "properties/catalogue.hpp"
#include "properties/drive/asked.hpp"
#include "properties/drive/judge.hpp"

namespace kvcheck {
namespace {

bool is_declared_dead(const Output& output) {
    const Standing standing = output.standing();
    return standing.compared && standing.dead;
}

}  // namespace

Verdict dead_rows_are_as_declared(Subject& subject, const Case& test_case, Oracle& oracle) {
    const FeatureSet features = subject.capabilities().features;
    const bool can_declare = features.has_any({Feature::dead_row_zeros, Feature::dead_row_nan});
    const bool can_be_dead = features.has_any({Feature::padding_left, Feature::padding_all});
    if (!can_declare || !can_be_dead) {
        return Verdict::skipped("no declared value, or no padding before a real token");
    }
    Judge judge(subject.capabilities());
    judge.in_variant("a query that sees no key");
    const Run run = drive(subject, test_case, asked_with_weights(test_case));
    judge_outputs(judge, run, oracle, is_declared_dead);
    if (judge.failed()) return judge.verdict();
    for (const Output& output : Judged(run, oracle, is_declared_dead)) {
        Place place = place_of(output, oracle.spec());
        for (std::size_t head = 0; head < output.seen().weights.size(); ++head) {
            place.head = Index(head);
            const auto& weights = output.seen().weights[head];
            for (std::size_t key = 0; key < weights.size(); ++key) {
                place.key = Index(key);
                judge.within({}, weights[key], "weight", place, 0, "weight of a dead row");
            }
        }
    }
    return judge.verdict();
}

}  // namespace kvcheck
