// SPDX-License-Identifier: Apache-2.0
// The commands of clause 10 through the C interface: each arrives at its function with its
// arguments in their places, and none is declared without its function. What they do is judged by
// the properties, of which the example holds all.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "model/case_file.hpp"
#include "tests/adapters/plugins.hpp"
#include "tests/cli/child.hpp"

namespace kvcheck {
namespace {

using testing::HasSubstr;

/// Three rows of three slots, and every command with arguments that differ.
Case case_with_every_command() {
    Case test_case;
    test_case.spec.rows = 3;
    test_case.spec.capacity = 4;
    const auto append = [&](Index rows, Index count) {
        Append append;
        append.rows.assign(std::size_t(rows), std::vector<Token>(std::size_t(count),
                                                                 zero_token(test_case.spec, true)));
        return append;
    };
    test_case.program = {append(3, 3),   Publish{2, 5},
                         Evict{1, 0, 2}, Shift{1, 1},
                         Truncate{2, 1}, Reorder{{2, 0, 1, 0}},
                         Fork{2},        Truncate{1, std::nullopt},
                         Reset{3},       append(5, 1),
                         Finish{4},      Reset{3},
                         Reuse{3, 5, 2}, Reset{},
                         append(5, 1)};
    return test_case;
}

TEST(CCommands, ArriveAtTheirFunctionsWithTheirArguments) {
    const std::string right =
        "publish 2 3 labels 111 revision 1\n"
        "evict 1 0 2\n"
        "shift 1 1\n"
        "truncate 1 2\n"
        "reorder 2 0 1 0\n"
        "fork 2\n"
        "truncate -1 1\n"
        "reset_row 3\n"
        "finish 4\n"
        "reset_row 3\n"
        "reuse 3 2 labels 11 revision 1\n"
        "reset\n";
    const TemporaryFolder folder;
    const CaseFile saved{case_with_every_command(), {"outputs_match_the_oracle", "", "", "", ""}};
    const std::string file = folder.write("case.json", to_text(saved));
    for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--in-process"}}) {
        const std::string commands = folder.file("commands");
        std::filesystem::remove(commands);
        std::vector<std::string> words = {"replay", file, "--subject", plugin("TELLS")};
        words.insert(words.end(), more.begin(), more.end());
        const Outcome replay = kvcheck_with(words, folder.path(), {"COMMANDS=" + commands});
        EXPECT_EQ(replay.code, 0) << replay.out << replay.err;
        EXPECT_EQ(read_text_file(commands).substr(0, right.size()), right);
    }
}

TEST(CCommands, WithoutTheirFunctionAreNotDeclared) {
    const std::vector<std::pair<std::string, std::string>> table = {
        {"reset_row", "reset_row/1"},
        {"truncate", "truncate/1"},
        {"truncate_row", "truncate/1"},
        {"reorder", "reorder/1"},
        {"fork", "fork/1"},
        {"finish", "finish/1"},
        {"evict", "evict/1"},
        {"save", "save/1"},
        {"shift", "shift/1"},
        {"prefix_reuse", "prefix_reuse/1"}};
    for (const auto& [feature, name] : table) {
        const std::string features = "attention batch unequal_counts " + feature;
        const Outcome run = kvcheck_with({"run", "--subject", plugin("TELLS"), "--in-process"}, "",
                                         {"FEATURES=" + features});
        EXPECT_EQ(run.code, 2) << run.out << run.err;
        EXPECT_THAT(run.err, HasSubstr("found the feature " + feature + " without the extension " +
                                       name + ", expected the extension, or features without it"));
    }
}

}  // namespace
}  // namespace kvcheck
