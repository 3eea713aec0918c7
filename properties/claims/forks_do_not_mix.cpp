// SPDX-License-Identifier: Apache-2.0
// Clause 10: a fork goes on as the row it was made from would have, and from then on neither sees
// what the other gets: not a bit of its outputs changes with it.
#include "properties/catalogue.hpp"
#include "properties/drive/afterlife.hpp"

namespace kvcheck {

Verdict forks_do_not_mix(Subject& subject, const Case& test_case, Oracle& oracle) {
    Judge judge(subject.capabilities());
    for (const std::size_t past : pasts_of(test_case)) {
        Continuation life(test_case, past, subject.capabilities().features);
        const Index fork = life.state().row_count();
        const Index source = fork - 1;
        life.add(Fork{source});
        const auto forked = Index(life.commands());
        if (!life.append_twice() || !life.is_admitted() || judge.failed()) continue;
        judge.in_variant("after a fork");
        Afterlife after(judge, subject, life.test_case(), oracle);
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
    return judge.verdict();
}

}  // namespace kvcheck
