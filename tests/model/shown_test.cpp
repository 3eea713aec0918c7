// SPDX-License-Identifier: Apache-2.0
// Foreign text as it may be shown: one line, valid, short, and nothing a terminal obeys.
#include "model/types/shown.hpp"

#include <gtest/gtest.h>

namespace kvcheck {
namespace {

TEST(Shown, LeavesTextThatCanBePrinted) {
    for (const char* const text : {"", "plain 1.0",
                                   "Gr\xc3\xb6\xc3\x9f"
                                   "e",
                                   "\xe6\x97\xa5\xe6\x9c\xac", "\xf0\x9f\x98\x80"}) {
        EXPECT_EQ(shown(text), text);
    }
}

TEST(Shown, ReplacesWhatATerminalObeys) {
    EXPECT_EQ(shown("a\x1b[2K\rb\n\t\ac\x7f"), "a?[2K?b???c?");
    EXPECT_EQ(shown("\xc2\x9b"
                    "2J"),
              "?2J")
        << "the one-character form of ESC [";
    EXPECT_EQ(shown("a\xe2\x80\xae"
                    "b"),
              "a?b")
        << "from right to left";
    EXPECT_EQ(shown("a\xe2\x80\xa8"
                    "b"),
              "a?b")
        << "a line separator";
    EXPECT_EQ(shown(std::string_view("a\0b", 3)), "a?b");
}

TEST(Shown, ReplacesBytesThatAreNoUtf8) {
    EXPECT_EQ(shown("Gr\xf6\xdf"
                    "e"),
              "Gr??e");
    EXPECT_EQ(shown("\xc3"), "?") << "cut short";
    EXPECT_EQ(shown("\xc0\xaf"), "??") << "overlong";
    EXPECT_EQ(shown("\xe0\x80\xaf"), "???") << "overlong";
    EXPECT_EQ(shown("\xed\xa0\x80"), "???") << "a surrogate";
    EXPECT_EQ(shown("\xf5\x80\x80\x80"), "????") << "beyond Unicode";
}

TEST(Shown, CutsBetweenCharacters) {
    EXPECT_EQ(shown(std::string(5000, 'x')), std::string(200, 'x') + "...");
    EXPECT_EQ(shown(std::string(200, 'x')), std::string(200, 'x'));
    EXPECT_EQ(shown("\xc3\xb6\xc3\xb6", 3), "\xc3\xb6...");
}

}  // namespace
}  // namespace kvcheck
