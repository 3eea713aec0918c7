// SPDX-License-Identifier: Apache-2.0
// The lines of a finding (declared in failure_text.hpp).
#include "cli/failure_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/row_text.hpp"
#include "cli/terminal.hpp"
#include "model/types/spec_fields.hpp"
#include "properties/drive/sentence.hpp"

namespace kvcheck {
namespace {

const std::string& margin() {
    static const std::string text(finding_margin, ' ');
    return text;
}

std::string headline(const PropertyReport& report) {
    const Counterexample& found = *report.search.counterexample;
    if (!report.from_corpus.empty()) {
        return fmt::format("saved case of {} ({})", size_text(size_of(found.test_case)),
                           shape_text(found.test_case.spec));
    }
    return fmt::format("case {}, shrunk in {} steps{} to {} ({})", found.found_at,
                       found.shrink_steps,
                       found.shrink_stopped ? ", as far as the budget allowed," : "",
                       size_text(size_of(found.test_case)), shape_text(found.test_case.spec));
}

std::string file_lines(const PropertyReport& report) {
    const bool drawn = report.from_corpus.empty();
    const std::string& file = drawn ? report.saved : report.from_corpus;
    if (file.empty())
        return margin() + "not saved: " + report.save_trouble + "; the case follows on stderr\n";
    std::string text = fmt::format("{}{:<8} {}\n", margin(), drawn ? "saved" : "file", file);
    if (!report.replay.empty())
        text += margin() + "replay   " + report.replay + "\n" +
                (report.verdict.kind == Verdict::Kind::flaky
                     ? margin() + "it does not fail every time, and a replay may hold\n"
                     : "");
    else
        text += margin() + "a replay holds, because it begins in a new process\n";
    return text;
}

/// Of a run that ended with one finding, the others that were seen beside it.
std::string beside_line(const std::vector<std::string>& titles, std::optional<std::size_t> width) {
    constexpr std::size_t listed_max = 2;
    if (titles.empty()) return {};
    const auto end = titles.begin() + std::ptrdiff_t(std::min(titles.size(), listed_max));
    std::string line = fmt::format("beside   {}", fmt::join(titles.begin(), end, ", "));
    if (titles.size() > listed_max) line += fmt::format(" and {} more", titles.size() - listed_max);
    line = margin() + line + " failed, too\n";
    return width ? folded(line, *width, finding_margin) : line;
}

std::string value_text(bool) { return ""; }
std::string value_text(const std::optional<Index>& value) { return fmt::format(" {}", *value); }
std::string value_text(const std::optional<float>& value) { return fmt::format(" {:.9g}", *value); }
template <class Enum>
std::string value_text(Enum value) requires std::is_enum_v<Enum> {
    return fmt::format(" {}", name_of(value));
}

/// Its value is another than the default one.
template <class Value>
bool needs_a_word(const Spec& plain, const SpecField& field, const Value& value) {
    bool differs = false;
    for_each_field(plain, [&](const SpecField& other, const auto& usual) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(usual)>, Value>) {
            if (&other == &field) differs = usual != value;
        }
    });
    return differs;
}

}  // namespace

std::string counted(Index count, const char* noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string size_text(const CaseSize& size) {
    return fmt::format("{}, {}, {}, {}", counted(size.rows, "row"),
                       counted(size.query_heads, "head"), counted(size.tokens, "token"),
                       counted(size.commands, "command"));
}

std::string shape_text(const Spec& spec) {
    const bool layer = spec.level == Level::layer;
    std::string text = fmt::format("H {}, Hkv {}, Dk {}, Dv {}, {}{}", spec.query_heads,
                                   spec.kv_heads, spec.key_width, spec.value_width,
                                   layer ? fmt::format("D {}, ", spec.model_width) : std::string(),
                                   counted(spec.capacity, "slot"));
    // What is not as it is by default, whose numbers stand in the case.
    const Spec plain;
    for_each_field(spec, [&](const SpecField& field, const auto& value) {
        using Value = std::remove_cvref_t<decltype(value)>;
        if constexpr (is_convention<Value>) {
            if (needs_a_word(plain, field, value))
                text += fmt::format(", {}{}", field.name, value_text(value));
        }
    });
    return text;
}

std::string failure_text(const std::string& before, const PropertyReport& report, bool with_row,
                         std::optional<std::size_t> width) {
    const bool vague = report.verdict.needs_more_than_the_case();
    if (!report.same_as.empty() && (vague || !report.saved.empty())) {
        const bool depends = report.verdict.kind == Verdict::Kind::dependent;
        return fmt::format("{}{}{}, as {}{}\n", before,
                           depends ? "depends on earlier calls: "
                           : vague ? "not every time: "
                                   : "",
                           report.verdict.diagnosis, report.same_as,
                           report.saved.empty() ? "" : "; " + report.saved);
    }
    const bool crashed = report.verdict.kind == Verdict::Kind::crashed;
    const std::string words = before + headline(report) + "\n" + margin() +
                              (crashed ? "crashed: " : "") + sentence_of(report.verdict) + "\n";
    return (width ? folded(words, *width, finding_margin) : words) + file_lines(report) +
           (with_row ? row_text(report.verdict, margin(), width) : "") +
           beside_line(report.failed_beside, width);
}

}  // namespace kvcheck
