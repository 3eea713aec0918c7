// SPDX-License-Identifier: Apache-2.0
// Clause 4: the contents of padding are replaced; finite contents change no bit of what a real
// token yields, NaN and infinity leave it within the bound, and the weight of padding, where it is
// shown, is exactly zero under all of them.
#include "model/types/ieee.hpp"
#include "properties/catalogue.hpp"
#include "properties/drive/asked.hpp"
#include "properties/drive/judge.hpp"
#include "properties/drive/variants.hpp"

namespace kvcheck {
namespace {

bool is_padding(const TokenSite&, const Token& token) { return !token.real; }

void judge_weights(Judge& judge, const Run& run, Oracle& oracle) {
    if (run.trouble || judge.failed()) return;
    for (const Output& output : Judged(run, oracle, is_real)) {
        const auto& heads = output.seen().weights;
        Place place = place_of(output, oracle.spec());
        for (const Node* key : output.seen().history.tokens()) {
            if (key->token.real) continue;
            place.key = key->slot;
            for (std::size_t head = 0; head < heads.size(); ++head) {
                place.head = Index(head);
                const double weight = heads[head][std::size_t(key->slot)];
                // Beside a score that overflowed no weight is a number.
                if (weight != 0 && !output.truth().in_domain) continue;
                judge.within({}, weight, "weight", place, 0, "weight of padding");
            }
        }
    }
}

bool has_padding(const Case& test_case) {
    bool found = false;
    for_each_token(test_case,
                   [&](const TokenSite&, const Token& token) { found = found || !token.real; });
    return found;
}

}  // namespace

Verdict padding_is_invisible(Subject& subject, const Case& test_case, Oracle& oracle) {
    const Capabilities& capabilities = subject.capabilities();
    if (!capabilities.features.has_any(FeatureSet::paddings())) {
        return Verdict::skipped("the subject takes no padding");
    }
    if (!has_padding(test_case)) return Verdict::distrusted("no padding");
    Judge judge(capabilities);
    const DriveOptions options = asked_with_weights(test_case);
    const Run expected = drive(subject, with_contents(test_case, 0, is_padding), options);
    judge_weights(judge, expected, oracle);
    for (const float content : finite_contents(test_case.spec)) {
        judge.in_variant("with padding that holds " + float_text(content));
        const Run run = drive(subject, with_contents(test_case, content, is_padding), options);
        judge_weights(judge, run, oracle);
        judge_same_outputs(judge, capabilities, oracle, expected, run, is_real);
    }
    if (!capabilities.features.has(Feature::masked_nonfinite)) return judge.verdict();
    for (const float content : nonfinite_contents()) {
        judge.in_variant("with padding that holds " + float_text(content));
        const Run run = drive(subject, with_contents(test_case, content, is_padding), options);
        judge_weights(judge, run, oracle);
        judge_outputs(judge, run, oracle, is_real);
    }
    if (judge.failed()) return judge.verdict();
    // Who shows no weights may go another way.
    const float content = nonfinite_contents().front();
    judge.in_variant("asked for outputs alone, with padding that holds " + float_text(content));
    const Case poisoned = with_contents(test_case, content, is_padding);
    judge_outputs(judge, drive(subject, poisoned, outputs_only()), oracle, is_real);
    return judge.verdict();
}

}  // namespace kvcheck
