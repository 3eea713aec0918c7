// SPDX-License-Identifier: Apache-2.0
// Clause 4: the contents of padding are replaced; finite contents change no bit of what a real
// token yields, NaN and infinity leave it within the bound, and the weight of padding, where it is
// shown, is exactly zero under all of them.
#include <fmt/format.h>

#include "model/types/ieee.hpp"
#include "properties/catalogue.hpp"
#include "properties/drive/judge.hpp"
#include "properties/drive/variants.hpp"

namespace kvcheck {
namespace {

bool is_padding(std::size_t, std::size_t, std::size_t, const Token& token) { return !token.real; }

void judge_weights(Judge& judge, const std::vector<Epoch>& history, const Run& run,
                   const std::string& context) {
    if (run.trouble || judge.failed()) return;
    for (std::size_t e = 0; e < history.size(); ++e) {
        for (std::size_t r = 0; r < history[e].size(); ++r) {
            const RowTokens& row = history[e][r];
            for (std::size_t slot = 0; slot < row.size(); ++slot) {
                if (!row[slot].real) continue;
                const auto& heads = run.tokens[e][r][slot].weights;
                for (std::size_t head = 0; head < heads.size(); ++head) {
                    for (std::size_t key = 0; key <= slot; ++key) {
                        if (row[key].real) continue;
                        judge.within({}, heads[head][key], "weight of padding", [&] {
                            return fmt::format("{}{}, head {}, weight of padded key {}", context,
                                               place_of(e, r, slot), head, key);
                        });
                    }
                }
            }
        }
    }
}

bool has_padding(const std::vector<Epoch>& history) {
    for (const Epoch& epoch : history) {
        for (const RowTokens& row : epoch) {
            for (const Token& token : row) {
                if (!token.real) return true;
            }
        }
    }
    return false;
}

}  // namespace

Verdict padding_is_invisible(Subject& subject, const Case& value, Oracle& oracle) {
    const Capabilities& capabilities = subject.capabilities();
    const auto history = history_of(value);
    const FeatureSet paddings = {Feature::padding_left, Feature::padding_right,
                                 Feature::padding_holes, Feature::padding_all};
    if (capabilities.features.without(paddings) == capabilities.features) {
        return Verdict::skipped("the subject takes no padding");
    }
    if (!has_padding(history)) return Verdict::distrusted("no padding");
    Judge judge(capabilities);
    const Run expected = drive(subject, with_contents(value, Part::all, 0, is_padding));
    judge_weights(judge, history, expected, "");
    for (const float content : finite_contents()) {
        const std::string context = "with padding that holds " + float_text(content) + ", ";
        const Run run = drive(subject, with_contents(value, Part::all, content, is_padding));
        judge_weights(judge, history, run, context);
        judge_same_outputs(judge, capabilities, oracle, history, expected, run, context, is_real);
    }
    if (!capabilities.features.has(Feature::masked_nonfinite)) return judge.verdict();
    for (const float content : nonfinite_contents()) {
        const std::string context = "with padding that holds " + float_text(content) + ", ";
        const Run run = drive(subject, with_contents(value, Part::all, content, is_padding));
        judge_weights(judge, history, run, context);
        judge_outputs(judge, oracle, history, run, context, is_real);
    }
    return judge.verdict();
}

}  // namespace kvcheck
