// SPDX-License-Identifier: Apache-2.0
#include "properties/drive/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/types/ieee.hpp"

namespace kvcheck {
namespace {

std::string number_text(double value, int digits) {
    return digits == 24 ? float_text(float(value)) : fmt::format("{}", value);
}

/// The sign of a zero output is none of its bits (clause 0).
double without_sign(double output) { return output == 0 ? 0 : output; }

/// Head and element of an output index, in the words of the level.
std::string element_text(const Spec& spec, std::size_t index) {
    if (spec.level == Level::layer) return fmt::format("output element {}", index);
    const auto width = std::size_t(spec.value_width);
    return fmt::format("head {}, output element {}", index / width, index % width);
}

}  // namespace

void Judge::within(const Answer& answer, double observed, const std::string& diagnosis,
                   const Place& place) {
    ++compared_;
    const Deviation deviation = deviation_of(observed, answer, digits_);
    if (deviation.within()) {
        worst_ratio_ = std::max(worst_ratio_, deviation.ratio);
        return;
    }
    if (failed() && !(deviation.ratio > failure_.worst_ratio)) return;
    const bool exact = answer.bound == 0;
    std::string what =
        fmt::format("{}: got {}, {} {}", place(), number_text(observed, digits_),
                    exact ? "must be exactly" : "the oracle says", answer_text(answer));
    if (!exact && std::isfinite(deviation.error)) {
        // Ulps of zero are those of the smallest number and tell nobody anything.
        const std::string ulps = answer.hi == 0 ? "" : fmt::format("{:.3g} ulp, ", deviation.ulps);
        what += fmt::format("; off by {:.3g} ({}{:.3g} times the bound)", deviation.error, ulps,
                            deviation.ratio);
    }
    // A number that is not finite is another kind of trouble than one that is off.
    const bool finite = std::isfinite(observed) || std::isnan(answer.hi);
    failure_ = Verdict::failed(finite ? diagnosis : diagnosis + " not finite", std::move(what),
                               deviation.ratio);
}

void Judge::same(double expected, double observed, const std::string& diagnosis,
                 const Place& place) {
    ++compared_;
    if (failed() || same_bits(expected, observed)) return;
    failure_ = Verdict::failed(
        diagnosis, fmt::format("{}: {} became {}", place(), number_text(expected, digits_),
                               number_text(observed, digits_)));
}

void Judge::fault(const std::string& diagnosis, const std::string& what) {
    ++compared_;
    if (!failed()) failure_ = Verdict::failed(diagnosis, what);
}

void Judge::trouble(const Run& run, const std::string& context) {
    if (!run.trouble || failed()) return;
    failure_ = *run.trouble;
    failure_.what = context + failure_.what;
}

Verdict Judge::verdict() const {
    if (failed()) return failure_;
    if (compared_ == 0) return Verdict::distrusted("nothing to compare");
    return Verdict::passed(worst_ratio_);
}

bool is_dead(const RowTokens& row, std::size_t slot) {
    return std::none_of(row.begin(), row.begin() + std::ptrdiff_t(slot) + 1,
                        [](const Token& token) { return token.real; });
}

bool is_living(const Spec& spec, const RowTokens& row, std::size_t slot) {
    const bool specified = row[slot].real || spec.padded_query == PaddedQuery::computed;
    return specified && !is_dead(row, slot);
}

bool is_real(const Spec&, const RowTokens& row, std::size_t slot) { return row[slot].real; }

std::string place_of(std::size_t epoch, std::size_t row, std::size_t slot) {
    const std::string place = fmt::format("row {}, slot {}", row, slot);
    return epoch == 0 ? place : fmt::format("{} (after reset {})", place, epoch);
}

std::vector<std::vector<const RowTruth*>> truths_of(Oracle& oracle,
                                                    const std::vector<Epoch>& history,
                                                    const Run& run) {
    std::vector<std::vector<const RowTruth*>> truths;
    for (std::size_t e = 0; e < history.size(); ++e) {
        auto& rows = truths.emplace_back();
        for (std::size_t r = 0; r < history[e].size(); ++r) {
            const bool staged = run.stored.size() == history.size() && !run.stored[e].empty();
            rows.push_back(&oracle.row(history[e][r], staged ? &run.stored[e][r] : nullptr));
        }
    }
    return truths;
}

void judge_outputs(Judge& judge, Oracle& oracle, const std::vector<Epoch>& history, const Run& run,
                   const std::string& context, TokenFilter filter) {
    judge.trouble(run, context);
    if (judge.failed()) return;
    const auto truths = truths_of(oracle, history, run);
    for (std::size_t e = 0; e < history.size(); ++e) {
        for (std::size_t r = 0; r < history[e].size(); ++r) {
            for (std::size_t slot = 0; slot < history[e][r].size(); ++slot) {
                const TokenTruth& truth = truths[e][r]->tokens[slot];
                if (!filter(oracle.spec(), history[e][r], slot) || !truth.in_domain) continue;
                const Seen& seen = run.tokens[e][r][slot];
                if (!seen.written) {
                    judge.fault("unwritten", context + place_of(e, r, slot) +
                                                 ": an output element was never written");
                    return;
                }
                for (std::size_t i = 0; i < seen.output.size(); ++i) {
                    judge.within(truth.output[i], seen.output[i], "output", [&] {
                        return context + place_of(e, r, slot) + ", " +
                               element_text(oracle.spec(), i);
                    });
                }
            }
        }
    }
}

void judge_same_outputs(Judge& judge, const Capabilities& capabilities, Oracle& oracle,
                        const std::vector<Epoch>& history, const Run& expected, const Run& run,
                        const std::string& context, TokenFilter filter) {
    if (!capabilities.features.has(Feature::repeatable)) {
        judge_outputs(judge, oracle, history, run, context, filter);
        return;
    }
    judge.trouble(expected);
    judge.trouble(run, context);
    if (judge.failed()) return;
    for (std::size_t e = 0; e < history.size(); ++e) {
        for (std::size_t r = 0; r < history[e].size(); ++r) {
            for (std::size_t slot = 0; slot < history[e][r].size(); ++slot) {
                if (!filter(oracle.spec(), history[e][r], slot)) continue;
                const auto& before = expected.tokens[e][r][slot].output;
                const auto& after = run.tokens[e][r][slot].output;
                for (std::size_t i = 0; i < before.size(); ++i) {
                    judge.same(without_sign(before[i]), without_sign(after[i]), "bits", [&] {
                        return context + place_of(e, r, slot) + ", " +
                               element_text(oracle.spec(), i);
                    });
                }
            }
        }
    }
}

}  // namespace kvcheck
