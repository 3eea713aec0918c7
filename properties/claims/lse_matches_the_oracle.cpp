// SPDX-License-Identifier: Apache-2.0
// Clause 17: the log-sum-exp that is shown of each query and head lies within its bound, and is
// minus infinity where no key is seen. Judged by fifty digits always: it has no certificate.
#include <cmath>

#include "model/types/ieee.hpp"
#include "properties/catalogue.hpp"
#include "properties/drive/asked.hpp"
#include "properties/drive/judge.hpp"

namespace kvcheck {
namespace {

void judge_head(Judge& judge, const TokenTruth& truth, std::size_t head, double seen,
                const Place& place) {
    if (!truth.standing.dead) {
        judge.within(truth.log_sum_exp[head], seen, "log-sum-exp", place, truth.score_size[head]);
    } else if (std::isinf(seen) && seen < 0) {
        judge.holds();
    } else {
        judge.fault("log-sum-exp over no keys",
                    "a log-sum-exp over no keys: got " + float_text(float(seen)) +
                        ", must be minus infinity",
                    place);
    }
}

}  // namespace

Verdict lse_matches_the_oracle(Subject& subject, const Case& test_case, Oracle& oracle) {
    const Spec& spec = test_case.spec;
    if (spec.sinks) return Verdict::distrusted("a sink is left to who merges");
    Judge judge(subject.capabilities());
    DriveOptions options = asked_for(test_case);
    options.log_sum_exp = true;
    const Run run = drive(subject, test_case, options);
    judge.trouble(run);
    if (judge.failed()) return judge.verdict();
    const Judged outputs(run, oracle, [&](const Output& output) {
        return is_real(output) || spec.padded_query == PaddedQuery::computed;
    });
    for (const Output& output : outputs) {
        if (!output.is_answered()) continue;
        const TokenTruth& truth = output.truth();
        if (!truth.in_domain) continue;
        Place place = place_of(output, spec);
        for (std::size_t head = 0; head < truth.log_sum_exp.size(); ++head) {
            place.head = Index(head);
            judge_head(judge, truth, head, output.seen().log_sum_exp[head], place);
        }
    }
    judge.show_row(outputs, spec);
    return judge.verdict();
}

}  // namespace kvcheck
