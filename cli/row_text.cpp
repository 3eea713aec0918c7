// SPDX-License-Identifier: Apache-2.0
// Columns and lines (declared in row_text.hpp).
#include "cli/row_text.hpp"

#include <fmt/format.h>

#include "oracles/row_table.hpp"

namespace kvcheck {
namespace {

constexpr std::size_t lines_max = 24;  // of a table; what is between the ends is left out
constexpr std::size_t heads_max = 4;   // beside each other

bool is_left_out(std::size_t n, std::size_t count) {
    return count > lines_max && n >= lines_max / 2 && n < count - lines_max / 2;
}

/// Calls line(n) for those that are shown, and says how many are not.
template <class Line>
std::string lines_of(std::size_t count, const std::string& margin, const Line& line) {
    std::string text;
    for (std::size_t n = 0; n < count; ++n) {
        if (!is_left_out(n, count)) {
            text += margin + line(n) + "\n";
        } else if (n == lines_max / 2) {
            text += fmt::format("{}... {} more\n", margin, count - 2 * (lines_max / 2));
        }
    }
    return text;
}

std::string without_end(const std::string& padded) {
    return padded.substr(0, padded.find_last_not_of(' ') + 1);
}

std::string right_text(const Answer& right) {
    return fmt::format("{:.9g}{}", right.hi, right.bound == 0 ? " exactly" : "");
}

std::string keys_text(const RowTable& table, const std::vector<const RowTable::Head*>& heads,
                      const std::string& margin) {
    bool with_ids = false;
    for (const RowTable::Key& key : table.keys) with_ids = with_ids || key.position_id >= 0;
    std::string text = fmt::format("{}{:<6}{}{:<9}{:<9}", margin, "slot", with_ids ? "id    " : "",
                                   "token", "key");
    for (const RowTable::Head* const head : heads) {
        text += fmt::format("{:<20}{:<14}", fmt::format("weight of head {}", head->head), "got");
    }
    text = without_end(text) + "\n";
    return text + lines_of(table.keys.size(), margin, [&](std::size_t n) {
               const RowTable::Key& key = table.keys[n];
               const std::string id =
                   key.position_id >= 0 ? std::to_string(key.position_id) : std::string();
               std::string line = fmt::format("{:<6}{}{:<9}{:<9}", key.slot,
                                              with_ids ? fmt::format("{:<6}", id) : "",
                                              key.later  ? "later"
                                              : key.real ? "real"
                                                         : "padding",
                                              !key.later && key.real ? "visible" : "hidden");
               for (const RowTable::Head* const head : heads) {
                   const std::string right =
                       n < head->right.size() ? right_text(head->right[n]) : "0 exactly";
                   const std::string seen =
                       n < head->seen.size() ? fmt::format("{:.9g}", head->seen[n]) : "not shown";
                   line += fmt::format("{:<20}{:<14}", right, seen);
               }
               return without_end(line);
           });
}

std::string output_text(const RowTable& table, const std::string& margin) {
    const std::size_t width = table.output.size() / std::size_t(table.heads_of_output);
    const std::string text = fmt::format("{}{:<24}{:<20}{:<16}{:<14}{}\n", margin, "output",
                                         "right", "got", "bound", "error / bound");
    return text + lines_of(table.output.size(), margin, [&](std::size_t n) {
               const RowTable::Element& element = table.output[n];
               const std::string name =
                   table.heads_of_output == 1
                       ? fmt::format("element {}", n)
                       : fmt::format("head {} element {}", n / width, n % width);
               constexpr double told_max = 1e9;
               return fmt::format("{:<24}{:<20}{:<16}{:<14}{}", name, right_text(element.right),
                                  fmt::format("{:.9g}", element.seen),
                                  fmt::format("{:.3g}", element.right.bound),
                                  element.ratio <= told_max ? fmt::format("{:.3g}", element.ratio)
                                                            : std::string("far outside"));
           });
}

}  // namespace

std::string row_text(const Verdict& verdict, const std::string& margin) {
    if (verdict.row == nullptr) return {};
    const RowTable& table = *verdict.row;
    std::vector<const RowTable::Head*> heads;
    for (const RowTable::Head& head : table.heads) {
        const bool asked = verdict.place.head == Place::absent || verdict.place.head == head.head;
        if (asked && heads.size() < heads_max) heads.push_back(&head);
    }
    return fmt::format("{}row {} as the query in slot {} sees it{}\n", margin, table.row,
                       table.slot, verdict.variant.empty() ? "" : ", " + verdict.variant) +
           keys_text(table, heads, margin) + output_text(table, margin);
}

}  // namespace kvcheck
