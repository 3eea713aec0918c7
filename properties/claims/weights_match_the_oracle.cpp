// SPDX-License-Identifier: Apache-2.0
// Clause 4 through the weights that a subject shows: visible keys within their bound, every other
// slot of the row exactly zero.
#include <fmt/format.h>

#include "properties/catalogue.hpp"
#include "properties/drive/judge.hpp"

namespace kvcheck {
namespace {

constexpr Answer zero{};

void judge_token(Judge& judge, const Spec& spec, const RowTokens& row, std::size_t slot,
                 const TokenTruth& truth, const Seen& seen, const std::string& place) {
    for (Index head = 0; head < spec.query_heads; ++head) {
        const auto& weights = seen.weights[std::size_t(head)];
        for (std::size_t key = 0; key < weights.size(); ++key) {
            const bool future = key > slot;
            const char* const diagnosis = future           ? "weight of the future"
                                          : !row[key].real ? "weight of padding"
                                                           : "weight";
            judge.within(
                future ? zero : truth.weights[std::size_t(head)][key], weights[key], diagnosis,
                [&] { return fmt::format("{}, head {}, weight of key {}", place, head, key); });
        }
    }
}

}  // namespace

Verdict weights_match_the_oracle(Subject& subject, const Case& value, Oracle& oracle) {
    Judge judge(subject.capabilities());
    const Run run = drive(subject, value);
    judge.trouble(run);
    if (judge.failed()) return judge.verdict();
    const auto history = history_of(value);
    const auto truths = truths_of(oracle, history, run);
    for (std::size_t e = 0; e < history.size(); ++e) {
        for (std::size_t r = 0; r < history[e].size(); ++r) {
            const RowTokens& row = history[e][r];
            for (std::size_t slot = 0; slot < row.size(); ++slot) {
                const TokenTruth& truth = truths[e][r]->tokens[slot];
                if (!is_living(value.spec, row, slot) || !truth.in_domain) continue;
                judge_token(judge, value.spec, row, slot, truth, run.tokens[e][r][slot],
                            place_of(e, r, slot));
            }
        }
    }
    return judge.verdict();
}

}  // namespace kvcheck
