// SPDX-License-Identifier: Apache-2.0
// Clause 4: a query that sees no key yields the declared o, before Wo, and weights that are zero.
#include <fmt/format.h>

#include "properties/catalogue.hpp"
#include "properties/drive/judge.hpp"

namespace kvcheck {
namespace {

bool is_declared_dead(const Spec& spec, const RowTokens& row, std::size_t slot) {
    return spec.padded_query == PaddedQuery::computed && spec.dead_row != DeadRow::unspecified &&
           is_dead(row, slot);
}

}  // namespace

Verdict dead_rows_are_as_declared(Subject& subject, const Case& value, Oracle& oracle) {
    const FeatureSet features = subject.capabilities().features;
    const bool can_declare =
        features.has(Feature::dead_row_zeros) || features.has(Feature::dead_row_nan);
    const bool can_be_dead =
        features.has(Feature::padding_left) || features.has(Feature::padding_all);
    if (!can_declare || !can_be_dead) {
        return Verdict::skipped("no declared value, or no padding before a real token");
    }
    Judge judge(subject.capabilities());
    const auto history = history_of(value);
    const Run run = drive(subject, value);
    judge_outputs(judge, oracle, history, run, "a query that sees no key: ", is_declared_dead);
    if (judge.failed()) return judge.verdict();
    for (std::size_t e = 0; e < history.size(); ++e) {
        for (std::size_t r = 0; r < history[e].size(); ++r) {
            for (std::size_t slot = 0; slot < history[e][r].size(); ++slot) {
                if (!is_declared_dead(value.spec, history[e][r], slot)) continue;
                for (const auto& weights : run.tokens[e][r][slot].weights) {
                    for (const double weight : weights) {
                        judge.within({}, weight, "weight of a dead row", [&] {
                            return fmt::format("{}, a weight of a query that sees no key",
                                               place_of(e, r, slot));
                        });
                    }
                }
            }
        }
    }
    return judge.verdict();
}

}  // namespace kvcheck
