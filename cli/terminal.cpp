// SPDX-License-Identifier: Apache-2.0
// Widths and folds (declared in terminal.hpp).
#include "cli/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

namespace kvcheck {
namespace {

/// Columns that a text takes: colours take none, a character of several bytes takes one.
std::size_t columns_of(std::string_view text) {
    std::size_t columns = 0;
    bool in_colour = false;
    for (const char c : text) {
        constexpr int continues = 0x80;
        constexpr int mask = 0xC0;
        if (c == '\033') in_colour = true;
        if (!in_colour && (static_cast<unsigned char>(c) & mask) != continues) ++columns;
        if (c == 'm') in_colour = false;
    }
    return columns;
}

/// Where the last column of a table begins that begins in the left half.
std::size_t hang_of(std::string_view line, std::size_t width) {
    std::size_t hang = line.find_first_not_of(' ');
    for (std::size_t n = 2; n < line.size(); ++n) {
        const bool begins = line[n] != ' ' && line[n - 1] == ' ' && line[n - 2] == ' ';
        const std::size_t column = begins ? columns_of(line.substr(0, n)) : 0;
        if (begins && column <= width / 2) hang = column;
    }
    return hang == std::string_view::npos ? 0 : hang;
}

std::string folded_line(std::string_view line, std::size_t width, std::size_t hang) {
    std::string text;
    for (bool first = true; !line.empty(); first = false) {
        const std::size_t before = first ? 0 : hang;
        if (!first) text += "\n" + std::string(hang, ' ');
        if (before + columns_of(line) <= width) return text.append(line);
        // The last blank that leaves what is before it short enough, else the first one.
        std::size_t end = line.find_first_not_of(' ');
        end = end == std::string_view::npos ? end : line.find(' ', end);
        for (std::size_t n = end; n < line.size(); n = line.find(' ', n + 1)) {
            if (before + columns_of(line.substr(0, n)) <= width) end = n;
        }
        if (end >= line.size()) return text.append(line);
        const std::string_view part = line.substr(0, end);
        text.append(part.substr(0, part.find_last_not_of(' ') + 1));
        line.remove_prefix(std::min(line.size(), line.find_first_not_of(' ', end)));
    }
    return text;
}

}  // namespace

std::optional<std::size_t> terminal_width() {
    if (isatty(STDOUT_FILENO) == 0) return std::nullopt;
    constexpr std::size_t usual = 80;
    winsize size = {};
    const bool told = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return told ? std::size_t(size.ws_col) : usual;
}

std::string folded(std::string_view text, std::size_t width, std::optional<std::size_t> hang) {
    std::string result;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        // Where the terminal is hardly wider than the margin, there is none.
        std::size_t left = hang ? *hang : hang_of(line, width);
        if (left > width / 2) left = 0;
        result += folded_line(line, width, left);
        if (end < text.size()) result += '\n';
        text.remove_prefix(std::min(text.size(), end + 1));
    }
    return result;
}

void say(const std::string& text, std::optional<std::size_t> hang) {
    const auto width = terminal_width();
    fmt::print("{}", width ? folded(text, *width, hang) : text);
}

std::string cut_to(const std::string& line, std::optional<std::size_t> width) {
    return width && line.size() >= *width ? line.substr(0, *width - 1) : line;
}

}  // namespace kvcheck
