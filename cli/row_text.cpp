// SPDX-License-Identifier: Apache-2.0
// Columns and lines (declared in row_text.hpp).
#include "cli/row_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/terminal.hpp"
#include "oracles/row_table.hpp"

namespace kvcheck {
namespace {

constexpr std::size_t lines_max = 24;  // of a table; what is between the ends is left out
constexpr std::size_t heads_max = 4;   // beside each other

bool is_left_out(std::size_t n, std::size_t count) {
    return count > lines_max && n >= lines_max / 2 && n < count - lines_max / 2;
}

using Cells = std::vector<std::string>;

/// Lines of equally many cells, the first of them the heading; those between the ends of a long
/// table are left out, with a line that says so.
class Table {
public:
    explicit Table(Cells heading) { add(std::move(heading)); }

    void add(Cells cells) {
        widths_.resize(cells.size());
        for (std::size_t c = 0; c < cells.size(); ++c) {
            widths_[c] = std::max(widths_[c], cells[c].size());
        }
        lines_.push_back(std::move(cells));
    }

    std::size_t width() const {
        std::size_t width = 0;
        for (const std::size_t one : widths_) width += one + between;
        return width - between;
    }

    std::string text(const std::string& margin) const {
        std::string text;
        const std::size_t count = lines_.size() - 1;
        for (std::size_t n = 0; n < lines_.size(); ++n) {
            if (n == 0 || !is_left_out(n - 1, count))
                text += margin + line_of(lines_[n]) + "\n";
            else if (n - 1 == lines_max / 2)
                text += fmt::format("{}... {} more\n", margin, count - 2 * (lines_max / 2));
        }
        return text;
    }

private:
    static constexpr std::size_t between = 2;

    std::string line_of(const Cells& cells) const {
        std::string line;
        for (std::size_t c = 0; c < cells.size(); ++c) {
            line += fmt::format("{:<{}}", cells[c], widths_[c] + between);
        }
        return line.substr(0, line.find_last_not_of(' ') + 1);
    }

    std::vector<Cells> lines_;
    std::vector<std::size_t> widths_;
};

std::string right_text(const Answer& right) {
    return fmt::format("{:.9g}{}", right.hi, right.bound == 0 ? " exactly" : "");
}

/// What weights leave of one, which a sink takes: no key has it, and no subject shows it.
Cells sink_cells(const std::vector<const RowTable::Head*>& heads, bool with_ids,
                 bool shows_weights) {
    Cells cells = {"sink"};
    if (with_ids) cells.emplace_back();
    cells.insert(cells.end(), {"", "the rest"});
    for (const RowTable::Head* const head : heads) {
        double right = 1;
        for (const Answer& weight : head->right) right -= weight.hi;
        cells.push_back(fmt::format("{:.9g}", right));
        if (!shows_weights) continue;
        double seen = 1;
        for (const double weight : head->seen) seen -= weight;
        cells.push_back(head->seen.empty() ? "not shown" : fmt::format("{:.9g}", seen));
    }
    return cells;
}

Table keys_table(const RowTable& table, const std::vector<const RowTable::Head*>& heads,
                 bool shows_weights) {
    bool with_ids = false;
    for (const RowTable::Key& key : table.keys) with_ids = with_ids || key.position_id >= 0;
    Cells heading = {"slot"};
    if (with_ids) heading.emplace_back("id");
    heading.insert(heading.end(), {"token", "key"});
    for (const RowTable::Head* const head : heads) {
        heading.push_back(fmt::format("weight of head {}", head->head));
        if (shows_weights) heading.emplace_back("got");
    }
    Table lines(heading);
    for (std::size_t n = 0; n < table.keys.size(); ++n) {
        const RowTable::Key& key = table.keys[n];
        Cells cells = {std::to_string(key.slot)};
        if (with_ids) cells.push_back(key.position_id >= 0 ? std::to_string(key.position_id) : "");
        cells.emplace_back(key.later ? "later" : key.real ? "real" : "padding");
        cells.emplace_back(key.visible ? "visible" : "hidden");
        for (const RowTable::Head* const head : heads) {
            cells.push_back(n < head->right.size() ? right_text(head->right[n]) : "0 exactly");
            if (!shows_weights) continue;
            cells.push_back(n < head->seen.size() ? fmt::format("{:.9g}", head->seen[n])
                                                  : "not shown");
        }
        lines.add(std::move(cells));
    }
    if (table.has_sink) lines.add(sink_cells(heads, with_ids, shows_weights));
    return lines;
}

Table output_table(const RowTable& table) {
    const std::size_t width = table.output.size() / std::size_t(table.heads_of_output);
    Table lines({"output", "right", "got", "bound", "error / bound"});
    for (std::size_t n = 0; n < table.output.size(); ++n) {
        const RowTable::Element& element = table.output[n];
        const std::string name = table.heads_of_output == 1
                                     ? fmt::format("element {}", n)
                                     : fmt::format("head {} element {}", n / width, n % width);
        constexpr double told_max = 1e9;
        lines.add({name, right_text(element.right), fmt::format("{:.9g}", element.seen),
                   fmt::format("{:.3g}", element.right.bound),
                   element.ratio <= told_max ? fmt::format("{:.3g}", element.ratio)
                                             : std::string("far outside")});
    }
    return lines;
}

}  // namespace

std::string row_text(const Verdict& verdict, const std::string& margin,
                     std::optional<std::size_t> width) {
    if (verdict.row == nullptr) return {};
    const RowTable& table = *verdict.row;
    std::vector<const RowTable::Head*> heads;
    bool shows_weights = false;
    for (const RowTable::Head& head : table.heads) {
        const bool asked = verdict.place.head == Place::absent || verdict.place.head == head.head;
        if (asked && heads.size() < heads_max) heads.push_back(&head);
        shows_weights = shows_weights || !head.seen.empty();
    }
    const auto fits = [&](std::size_t columns, const std::string& before) {
        return !width || before.size() + columns <= *width;
    };
    while (heads.size() > 1 && !fits(keys_table(table, heads, shows_weights).width(), margin)) {
        heads.pop_back();
    }
    const Table keys = keys_table(table, heads, shows_weights);
    const Table output = output_table(table);
    const std::string before = fits(std::max(keys.width(), output.width()), margin) ? margin : "";
    const auto line = [&](const std::string& words) {
        const std::string text = before + words + "\n";
        return width ? folded(text, *width, before.size()) : text;
    };
    return line(fmt::format("row {} as the query in slot {} sees it{}", table.row, table.slot,
                            verdict.variant.empty() ? "" : ", " + verdict.variant)) +
           keys.text(before) +
           (shows_weights
                ? ""
                : line(table.declares_weights
                           ? "(its own weights: not asked for in this run)"
                           : "(its own weights: the feature `weights` is not declared)")) +
           output.text(before);
}

}  // namespace kvcheck
