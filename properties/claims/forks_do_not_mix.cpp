// SPDX-License-Identifier: Apache-2.0
// Clause 10: a fork goes on as the row it was made from would have, and from then on neither sees
// what the other gets: not a bit of its outputs changes with it. Also where the fork is cut first,
// so that it writes over what both hold.
#include "properties/catalogue.hpp"
#include "properties/drive/afterlife.hpp"

namespace kvcheck {

namespace {

void judge_fork(Judge& judge, Subject& subject, Oracle& oracle, Continuation life, bool cuts) {
    const Index fork = life.state().row_count();
    const Index source = fork - 1;
    life.add(Fork{source});
    // Into what both hold.
    if (cuts) life.add(Truncate{life.state().row(fork).length() / 2, fork});
    const auto forked = Index(life.commands());
    Afterlife after(judge, subject, std::move(life), oracle);
    for (const auto& [changed, other] : {std::pair(fork, source), std::pair(source, fork)}) {
        after.judge_contents(
            changed == fork ? "the fork's own tokens" : "the later tokens of its source",
            [&, row = changed](const TokenSite& site, const Token&) {
                return site.command >= forked && site.row == row;
            },
            [&, row = other](const Output& output) {
                const Observation& seen = output.seen();
                return seen.command >= forked && seen.row == row && is_living(output);
            });
    }
}

}  // namespace

Verdict forks_do_not_mix(Subject& subject, const Case& test_case, Oracle& oracle) {
    const FeatureSet& features = subject.capabilities().features;
    Judge judge(subject.capabilities());
    for (const std::size_t past : pasts_of(test_case)) {
        const Continuation life(test_case, past, features);
        judge_fork(judge, subject, oracle, life, false);
        if (features.has(Feature::truncate_row)) judge_fork(judge, subject, oracle, life, true);
    }
    return judge.verdict();
}

}  // namespace kvcheck
