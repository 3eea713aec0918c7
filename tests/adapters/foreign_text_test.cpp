// SPDX-License-Identifier: Apache-2.0
// What a subject calls itself and why it refuses is shown as text: no control character of it
// reaches a terminal, no byte of it ends us, and a table is read no further than its size.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/adapters/plugins.hpp"
#include "tests/cli/child.hpp"

namespace kvcheck {
namespace {

using testing::HasSubstr;

void expect_plain(const std::string& text) {
    for (const char c : text) {
        const bool control = (static_cast<unsigned char>(c) < ' ' && c != '\n') || c == '\x7f';
        EXPECT_FALSE(control) << int(c) << " in " << text;
    }
    for (const std::string& line : lines_of(text)) EXPECT_NE(line, "  passed     all");
}

TEST(ForeignText, ARefusalInLatin1IsARefusal) {
    for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--in-process"}}) {
        std::vector<std::string> words = {
            "run", "--subject",  plugin("LATIN1"),       "--quick", "--cases", "5", "--seed",
            "x",   "--property", "wrong_call_is_refused"};
        words.insert(words.end(), more.begin(), more.end());
        const Outcome run = kvcheck_with(words);
        EXPECT_EQ(run.code, 0) << run.out << run.err;
        EXPECT_THAT(run.out, HasSubstr("1 properties held"));
        EXPECT_THAT(line_with(run.out, "subject "), HasSubstr("(c-example 1 "));
    }
}

TEST(ForeignText, EscapesOfALibraryAreNotPrinted) {
    for (const std::string command : {"run", "doctor"}) {
        for (const std::string where : {"--in-process", "--memory-limit=0"}) {
            std::vector<std::string> words = {command, "--subject", plugin("ESCAPES"), where};
            if (command == "run") words.insert(words.end(), {"--fail-fast", "--corpus", "none"});
            const Outcome run = kvcheck_with(words);
            EXPECT_EQ(run.code, 1) << run.out << run.err;
            EXPECT_THAT(run.out, HasSubstr("?[2K?  passed"));
            expect_plain(run.out);
            expect_plain(run.err);
        }
    }
}

/// A child of a few shell lines with this answer to hello and this one to everything else.
std::string saying(const std::string& hello, const std::string& other) {
    return "exec:while read -r l; do case \"$l\" in '{\"hello\"'*) printf '%s\\n' '" + hello +
           "';; *) " + other + ";; esac; done";
}

TEST(ForeignText, EscapesOfAChildAreNotPrinted) {
    const std::string hello =
        R"({"done":{"protocol":1,"name":"\u001b[31mred","version":"\r  passed","features":["attention"]}})";
    const std::vector<std::string> answers = {
        R"(printf '%s\n' '{"refused":"\u001b[2K\r\n  passed     all"}')",
        R"(printf '%s\n' '{"died":"\u001b[2K\r\n  passed     all"}')",
        R"(printf '\033[2K garbage\n')", R"(printf '\033[2K\r  passed\n' >&2; exit 3)"};
    for (const std::string& answer : answers) {
        SCOPED_TRACE(answer);
        const TemporaryFolder folder;
        const Outcome run = kvcheck_with({"run", "--subject", saying(hello, answer), "--fail-fast",
                                          "--corpus", "none", "--seed", "\x1b[31m"},
                                         folder.path());
        EXPECT_EQ(run.code, 1) << run.out << run.err;
        expect_plain(run.out);
        expect_plain(run.err);
    }
    const Outcome bad = kvcheck_with({"run", "--subject", saying("\x1b[31m", "exit 1")});
    EXPECT_EQ(bad.code, 2) << bad.out;
    expect_plain(bad.err);
}

TEST(ForeignText, ATableIsReadNoFurtherThanItsSize) {
    const Outcome run = kvcheck_with({"run", "--subject", plugin("SHORT_TABLE"), "--cases", "5",
                                      "--property", "outputs_match_the_oracle"});
    EXPECT_EQ(run.code, 0) << run.out << run.err;
}

}  // namespace
}  // namespace kvcheck
