// SPDX-License-Identifier: Apache-2.0
// Lines fit the terminal that they are printed on, and stay whole in a pipe.
#include "cli/terminal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/cli/child.hpp"

namespace kvcheck {
namespace {

TEST(Folded, BreaksAtBlanksAndHangs) {
    EXPECT_EQ(folded("one two three four", 9, 2), "one two\n  three\n  four");
    EXPECT_EQ(folded("one two", 7), "one two");
    EXPECT_EQ(folded("a  one two three four\nshort\n", 14), "a  one two\n   three four\nshort\n");
    EXPECT_EQ(folded("", 10), "");
    EXPECT_EQ(folded("\n\n", 10), "\n\n");
}

TEST(Folded, LeavesAWordWhole) {
    EXPECT_EQ(folded("see /a/path/that/is/long here", 10), "see\n/a/path/that/is/long\nhere");
    EXPECT_EQ(folded("abcdefghijklmno", 10), "abcdefghijklmno");
}

TEST(Folded, CountsNeitherColoursNorTheBytesOfACharacter) {
    EXPECT_EQ(folded("\033[31mone\033[0m two", 7), "\033[31mone\033[0m two");
    EXPECT_EQ(folded("\xc3\xa9\xc3\xa9\xc3\xa9 two", 7), "\xc3\xa9\xc3\xa9\xc3\xa9 two");
}

TEST(Folded, LosesNoWord) {
    const std::string text = "  FAILED     outputs  case 1, shrunk in 13 steps to 1 row, 1 head";
    for (std::size_t width = 1; width < 70; ++width) {
        std::string words = folded(text, width);
        std::replace(words.begin(), words.end(), '\n', ' ');
        const auto without_blanks = [](std::string one) {
            one.erase(std::remove(one.begin(), one.end(), ' '), one.end());
            return one;
        };
        EXPECT_EQ(without_blanks(words), without_blanks(text)) << width;
    }
}

/// Without what only moves or colours; what a line held before it was cleared counts as a line.
std::vector<std::string> visible_lines(const std::string& text) {
    std::string plain;
    bool in_escape = false;
    for (const char c : text) {
        if (c == '\033') in_escape = true;
        if (!in_escape) plain += c == '\r' ? '\n' : c;
        if (std::isalpha(static_cast<unsigned char>(c)) != 0) in_escape = false;
    }
    return lines_of(plain);
}

TEST(Terminal, LinesFitButForCommandsAndPaths) {
    const std::vector<std::vector<std::string>> commands = {
        {"run", "--quick", "--fail-fast", "--subject", "mutant:chunk_local_mask"},
        {"run", "--quick", "--property", "rows_normalise"},
        {"doctor"},
        {"list"},
        {"example"},
    };
    for (const unsigned short columns : {60, 80}) {
        for (const auto& arguments : commands) {
            SCOPED_TRACE(arguments.front());
            const std::string text = on_a_terminal(arguments, columns);
            EXPECT_GT(visible_lines(text).size(), 3U) << text;
            for (const std::string& line : visible_lines(text)) {
                const bool typed = line.find("kvcheck replay") != std::string::npos ||
                                   line.find("counterexamples/") != std::string::npos;
                EXPECT_TRUE(typed || line.size() <= columns) << line;
            }
        }
    }
}

TEST(Terminal, CommandsAreNotFolded) {
    const std::string text = on_a_terminal(
        {"run", "--quick", "--fail-fast", "--subject", "mutant:chunk_local_mask"}, 60);
    EXPECT_THAT(text,
                testing::ContainsRegex("kvcheck replay counterexamples/[a-z_0-9-]+.json --subject "
                                       "'mutant:chunk_local_mask'"));
}

}  // namespace
}  // namespace kvcheck
