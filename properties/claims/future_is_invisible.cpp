// SPDX-License-Identifier: Apache-2.0
// Clauses 3 and 4: the tokens from a cut on are replaced, finite contents and then NaN and
// infinities; what came before must not notice. Tokens of one call are the only ones that could, so
// the case's own calls and the full pass are both tried.
#include "properties/catalogue.hpp"
#include "properties/drive/judge.hpp"
#include "properties/drive/variants.hpp"

namespace kvcheck {
namespace {

/// A row's tokens before the cut, so that only they are compared.
std::vector<Epoch> before_cut(std::vector<Epoch> history, std::size_t cut) {
    for (Epoch& epoch : history) {
        for (RowTokens& row : epoch) row.resize(std::min(row.size(), cut));
    }
    return history;
}

/// Runs keep their exports of the whole row, which the shorter history has no use for.
Run without_stored(Run run) {
    run.stored.clear();
    return run;
}

std::vector<std::size_t> cuts_of(std::size_t longest) {
    constexpr std::size_t cut_all_max = 6;
    std::vector<std::size_t> cuts;
    if (longest < 2) return cuts;
    if (longest > cut_all_max) return {1, longest / 2, longest - 1};
    for (std::size_t cut = 1; cut < longest; ++cut) cuts.push_back(cut);
    return cuts;
}

void judge_program(Judge& judge, Subject& subject, const Case& value, Oracle& oracle) {
    const Capabilities& capabilities = subject.capabilities();
    const auto history = history_of(value);
    std::size_t longest = 0;
    for (const Epoch& epoch : history) {
        for (const RowTokens& row : epoch) longest = std::max(longest, row.size());
    }
    const Run expected = without_stored(drive(subject, value));
    for (const std::size_t cut : cuts_of(longest)) {
        const auto later = [cut](std::size_t, std::size_t, std::size_t slot, const Token&) {
            return slot >= cut;
        };
        const auto kept = before_cut(history, cut);
        const std::string context =
            "with the tokens from slot " + std::to_string(cut) + " on replaced by ";
        for (const float content : finite_contents()) {
            const Case changed = with_contents(value, Part::all, content, later);
            judge_same_outputs(judge, capabilities, oracle, kept, expected,
                               without_stored(drive(subject, changed)), context + "large values, ");
        }
        if (!capabilities.features.has(Feature::masked_nonfinite)) continue;
        for (const float content : nonfinite_contents()) {
            const Case changed = with_contents(value, Part::all, content, later);
            judge_outputs(judge, oracle, kept, without_stored(drive(subject, changed)),
                          context + "NaN or infinity, ");
        }
    }
}

}  // namespace

Verdict future_is_invisible(Subject& subject, const Case& value, Oracle& oracle) {
    Judge judge(subject.capabilities());
    judge_program(judge, subject, value, oracle);
    const Case full = with_chunks(value, {});
    if (!(full == value) && !judge.failed() &&
        subject.capabilities().features.has_all(features_of(full))) {
        judge_program(judge, subject, full, oracle);
    }
    return judge.verdict();
}

}  // namespace kvcheck
