// SPDX-License-Identifier: Apache-2.0
// The words for places and numbers (declared in sentence.hpp).
#include "properties/drive/sentence.hpp"

#include <fmt/format.h>

#include <cmath>

#include "model/types/ieee.hpp"

namespace kvcheck {
namespace {

std::string number_text(double value, int digits) {
    return digits == 24 ? float_text(float(value)) : fmt::format("{}", value);
}

std::string place_text(const Place& place, std::string_view what) {
    std::string text;
    const auto add = [&](const char* name, Index value) {
        if (value != Place::absent)
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, value);
    };
    add(place.slot == Place::absent ? "after command" : "command", place.command);
    add("row", place.row);
    add("slot", place.slot);
    if (place.position_id != place.slot) add("position id", place.position_id);
    add("head", place.head);
    // A row number is named where its value is.
    if (place.slot == Place::absent) return text;
    if (place.key != Place::absent) return text + fmt::format(", {} of key {}", what, place.key);
    if (place.element != Place::absent) {
        return text + fmt::format(", {} element {}", what, place.element);
    }
    if (!what.empty()) text += fmt::format("{}{}", text.empty() ? "" : ", ", what);
    return text;
}

std::string deviation_text(const Evidence& evidence) {
    if (evidence.right.bound == 0 || !std::isfinite(evidence.deviation.error)) return {};
    // Ulps of zero are those of the smallest number: a count of them says nothing.
    const std::string ulps =
        evidence.right.hi == 0 ? "" : fmt::format("{:.3g} ulp, ", evidence.deviation.ulps);
    constexpr double told_max = 1e9;  // beyond it, how many times the bound says nothing more
    const double ratio = evidence.deviation.ratio;
    const std::string times =
        ratio <= told_max ? fmt::format("{:.3g} times the bound", ratio)
                          : fmt::format("far outside the bound of {:.3g}", evidence.right.bound);
    return fmt::format("; off by {:.3g} ({}{})", evidence.deviation.error, ulps, times);
}

/// The size of the largest score, where it may be what matters.
std::string score_text(const Evidence& evidence) {
    constexpr double ordinary_max = 64;  // well inside the range of exp() in either type
    if (!(evidence.score_size > ordinary_max)) return {};
    return fmt::format("; scores up to {:.3g} in size", evidence.score_size);
}

std::string evidence_text(const Evidence& evidence) {
    const std::string seen = number_text(evidence.seen, evidence.digits);
    switch (evidence.kind) {
        case Evidence::Kind::answer:
            return fmt::format("got {}, {} {}{}{}", seen,
                               evidence.right.bound == 0 ? "must be exactly" : "the oracle says",
                               answer_text(evidence.right), deviation_text(evidence),
                               score_text(evidence));
        case Evidence::Kind::bits:
            return fmt::format("{} became {}", number_text(evidence.right.hi, evidence.digits),
                               seen);
        case Evidence::Kind::count:
            return fmt::format("{} is {}, the contract says {}", evidence.what, evidence.seen,
                               evidence.right.hi);
    }
    return {};
}

}  // namespace

std::string difference_of(const std::vector<RowNumbers>& expected,
                          const std::vector<RowNumbers>& seen) {
    const auto text_of = [](const std::optional<Index>& number) {
        return number ? std::to_string(*number) : std::string("unknown");
    };
    if (expected.size() != seen.size()) {
        return fmt::format("{} rows, not {}", seen.size(), expected.size());
    }
    for (std::size_t row = 0; row < seen.size(); ++row) {
        std::vector<std::optional<Index>> right;
        for_each_field(expected[row], [&](std::string_view, const std::optional<Index>& number) {
            right.push_back(number);
        });
        std::string text;
        std::size_t n = 0;
        for_each_field(seen[row], [&](std::string_view name, const std::optional<Index>& number) {
            const std::optional<Index>& other = right[n++];
            if (!text.empty() || number == other) return;
            text = fmt::format("{} of row {} is {}, not {}", name, row, text_of(number),
                               text_of(other));
        });
        if (!text.empty()) return text;
    }
    return {};
}

std::string sentence_of(const Verdict& verdict) {
    std::string text;
    if (verdict.kind == Verdict::Kind::flaky) text = "not every time: ";
    if (verdict.kind == Verdict::Kind::dependent) text = "depends on earlier calls: ";
    if (!verdict.variant.empty()) text += verdict.variant + ", ";
    const std::string_view what = verdict.evidence ? verdict.evidence->what : std::string_view();
    const std::string place = place_text(verdict.place, what);
    text += place;
    if (!place.empty()) text += ": ";
    text += verdict.evidence ? evidence_text(*verdict.evidence) : verdict.words;
    return verdict.hint.empty() ? text : text + "; " + verdict.hint;
}

}  // namespace kvcheck
