// SPDX-License-Identifier: Apache-2.0
// Clauses 3 and 4: the tokens that a window has left behind are replaced, finite contents and then
// NaN and infinities; whoever sees none of them must not notice. That the last key inside the
// window matters, and the first outside does not, is judged by outputs_match_the_oracle. Trees are
// made rows first: what a window hides of a path is judged by outputs_match_the_oracle alone.
#include "properties/catalogue.hpp"
#include "properties/drive/asked.hpp"
#include "properties/drive/judge.hpp"
#include "properties/drive/variants.hpp"

namespace kvcheck {
namespace {

/// Which tokens before slot `cut` are no anchors; [command][row][index].
std::vector<std::vector<std::vector<bool>>> left_behind(const Case& test_case, Index cut) {
    std::vector<std::vector<std::vector<bool>>> chosen(test_case.program.size());
    const Index anchors = test_case.spec.anchors.value_or(0);
    for_each_append(test_case, [&](Index command, const Append& append, const CacheState& before) {
        auto& rows = chosen[std::size_t(command)];
        for (Index r = 0; r < before.row_count(); ++r) {
            Index real = before.row(r).real_count();
            Index slot = before.row(r).length();
            std::vector<bool>& tokens = rows.emplace_back();
            for (const Token& token : append.rows[std::size_t(r)]) {
                tokens.push_back(slot < cut && !(token.real && real < anchors));
                ++slot;
                if (token.real) ++real;
            }
        }
    });
    return chosen;
}

std::vector<Index> cuts_of(Index longest, Index window) {
    // The query in slot cut + window - 1 is the first that sees none of the slots before the cut.
    const Index last = longest - window;
    constexpr Index all_max = 4;
    std::vector<Index> cuts;
    if (last > all_max) return {1, last / 2, last};
    for (Index cut = 1; cut <= last; ++cut) cuts.push_back(cut);
    return cuts;
}

}  // namespace

Verdict window_forgets(Subject& subject, const Case& drawn, Oracle& oracle) {
    const Capabilities& capabilities = subject.capabilities();
    const Case test_case = without_branches(drawn);
    const std::optional<Index> window = test_case.spec.window;
    if (!window) return Verdict::distrusted("no window");
    const std::vector<Index> cuts = cuts_of(longest_row(test_case), *window);
    if (cuts.empty()) return Verdict::distrusted("no row leaves its window");
    Judge judge(capabilities);
    const DriveOptions options = asked_for(test_case);
    const Run expected = drive(subject, test_case, options);
    for (const Index cut : cuts) {
        const auto chosen = left_behind(test_case, cut);
        const auto earlier = [&](const TokenSite& site, const Token&) {
            return chosen[std::size_t(site.command)][std::size_t(site.row)]
                         [std::size_t(site.index)];
        };
        const OutputFilter forgetful = [&](const Output& output) {
            return output.seen().slot() >= cut + *window - 1 && is_living(output);
        };
        const std::string variant =
            "with the tokens before slot " + std::to_string(cut) + " replaced by ";
        judge.in_variant(variant + "large values");
        for (const float content : finite_contents(test_case.spec)) {
            const Run run = drive(subject, with_contents(test_case, content, earlier), options);
            judge_same_outputs(judge, capabilities, oracle, expected, run, forgetful,
                               Judged::Staging::none);
        }
        if (!capabilities.features.has(Feature::masked_nonfinite)) continue;
        judge.in_variant(variant + "NaN or infinity");
        for (const float content : nonfinite_contents()) {
            const Run run = drive(subject, with_contents(test_case, content, earlier), options);
            judge_outputs(judge, run, oracle, forgetful, Judged::Staging::none);
        }
    }
    return judge.verdict();
}

}  // namespace kvcheck
