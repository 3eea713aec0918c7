// SPDX-License-Identifier: Apache-2.0
// Clauses 3 and 4: the tokens from a cut on are replaced, finite contents and then NaN and
// infinities; what came before must not notice. Tokens of one call are the only ones that could, so
// the case's own calls and the full pass are both tried. The truths are not staged: what is stored
// of the replaced tokens differs from run to run and says nothing of the others.
#include "properties/catalogue.hpp"
#include "properties/drive/asked.hpp"
#include "properties/drive/judge.hpp"
#include "properties/drive/variants.hpp"

namespace kvcheck {
namespace {

constexpr auto unstaged = Judged::Staging::none;

std::vector<Index> cuts_of(Index longest) {
    constexpr Index cut_all_max = 6;
    std::vector<Index> cuts;
    if (longest < 2) return cuts;
    if (longest > cut_all_max) return {1, longest / 2, longest - 1};
    for (Index cut = 1; cut < longest; ++cut) cuts.push_back(cut);
    return cuts;
}

void judge_program(Judge& judge, Subject& subject, const Case& test_case, Oracle& oracle) {
    const Capabilities& capabilities = subject.capabilities();
    const DriveOptions options = asked_for(test_case);
    const Run expected = drive(subject, test_case, options);
    for (const Index cut : cuts_of(longest_row(test_case))) {
        const auto later = [cut](const TokenSite& site, const Token&) { return site.slot >= cut; };
        const OutputFilter earlier = [cut](const Output& output) {
            return output.seen().slot() < cut && is_living(output);
        };
        const std::string variant =
            "with the tokens from slot " + std::to_string(cut) + " on replaced by ";
        judge.in_variant(variant + "large values");
        for (const float content : finite_contents(test_case.spec)) {
            const Run run = drive(subject, with_contents(test_case, content, later), options);
            judge_same_outputs(judge, capabilities, oracle, expected, run, earlier, unstaged);
        }
        if (!capabilities.features.has(Feature::masked_nonfinite)) continue;
        judge.in_variant(variant + "NaN or infinity");
        for (const float content : nonfinite_contents()) {
            const Run run = drive(subject, with_contents(test_case, content, later), options);
            judge_outputs(judge, run, oracle, earlier, unstaged);
        }
    }
}

}  // namespace

Verdict future_is_invisible(Subject& subject, const Case& test_case, Oracle& oracle) {
    Judge judge(subject.capabilities());
    judge_program(judge, subject, test_case, oracle);
    const Case full = with_chunks(test_case, {});
    if (!(full == test_case) && !judge.failed() &&
        subject.capabilities().features.has_all(features_of(full))) {
        judge_program(judge, subject, full, oracle);
    }
    return judge.verdict();
}

}  // namespace kvcheck
