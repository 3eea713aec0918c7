// SPDX-License-Identifier: Apache-2.0
// Clause 11: a row that continues a published prefix goes on as if the prefix's tokens had been
// appended to it, whatever the row that published them has done since; and from then on neither
// sees what the other gets.
#include <optional>

#include "properties/catalogue.hpp"
#include "properties/claims/prefixes.hpp"
#include "properties/drive/afterlife.hpp"

namespace kvcheck {
namespace {

/// Of a row of padding its first slot.
Index last_real_slot(const History& row) {
    const Node* node = row.last().get();
    while (node->before != nullptr && !node->token.real) node = node->before.get();
    return node->slot;
}

/// `rewrites`: the row that published takes its last real token back and gets others in its place.
void judge_reuse(Judge& judge, Subject& subject, Oracle& oracle, Continuation life, bool rewrites) {
    const std::optional<Index> publisher = publish_a_row(life);
    if (!publisher) return;
    const Index slots = life.state().row(*publisher).length();
    if (rewrites) life.add(Truncate{last_real_slot(life.state().row(*publisher)), *publisher});
    life.append(1);
    const std::optional<Index> taker = row_to_reuse(life, *publisher);
    if (!taker) return;
    life.add(Reuse{*taker, published_as, slots});
    const auto reused = Index(life.commands());
    Afterlife after(judge, subject, std::move(life), oracle);
    if (*taker == *publisher) return;  // what it held before is what it holds again
    for (const auto& [changed, other] :
         {std::pair(*publisher, *taker), std::pair(*taker, *publisher)}) {
        after.judge_contents(
            changed == *taker ? "the later tokens of the row that reuses a prefix"
                              : "the later tokens of the row that published it",
            [&, row = changed](const TokenSite& site, const Token&) {
                return site.command >= reused && site.row == row;
            },
            [&, row = other](const Output& output) {
                const Observation& seen = output.seen();
                return seen.command >= reused && seen.row == row && is_living(output);
            });
    }
}

}  // namespace

Verdict reuse_is_replay(Subject& subject, const Case& test_case, Oracle& oracle) {
    const FeatureSet& features = subject.capabilities().features;
    Judge judge(subject.capabilities());
    for (const std::size_t past : pasts_of(test_case)) {
        const Continuation life(test_case, past, features);
        judge_reuse(judge, subject, oracle, life, false);
        if (features.has(Feature::truncate_row)) judge_reuse(judge, subject, oracle, life, true);
    }
    return judge.verdict();
}

}  // namespace kvcheck
