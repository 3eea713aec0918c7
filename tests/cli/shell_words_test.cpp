// SPDX-License-Identifier: Apache-2.0
// Commands that are printed to be typed mean what they say, and commands that were typed mean the
// same in another folder.
#include "cli/shell_words.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <memory>

#include "tests/cli/child.hpp"

namespace kvcheck {
namespace {

/// What a shell makes of a word.
std::string read_by_shell(const std::string& word) {
    const std::string command = "bash -c \"$(cat <<'END'\nprintf %s " + word + "\nEND\n)\"";
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
    std::string text;
    for (int c = 0; (c = std::fgetc(pipe.get())) != EOF;) text += char(c);
    return text;
}

TEST(ShellWords, AreReadAsTheTextTheyStandFor) {
    for (const std::string text : {"plain", "two words", "a'b c", "$HOME `id` \\",
                                   "touch; rm -rf x", "\x1b[31m'\\", "*?", "a\nb", "\"", ""}) {
        EXPECT_EQ(read_by_shell(quoted_word(text)), text);
        EXPECT_EQ(read_by_shell(shell_word(text)), text);
    }
    EXPECT_EQ(shell_word("counterexamples/x-1.json"), "counterexamples/x-1.json");
    EXPECT_EQ(shell_word("--save/x.json"), "./--save/x.json");
    EXPECT_EQ(quoted_word("\x1b").find('\x1b'), std::string::npos) << "nothing a terminal obeys";
}

TEST(ShellWords, FilesOfThisFolderAreNamedAbsolutely) {
    const TemporaryFolder folder;
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(folder.path());
    const std::string here = std::filesystem::current_path();
    folder.write("mine.py", "");
    folder.write("my file", "");
    folder.write("echo", "");
    std::filesystem::create_directory(folder.file("sub"));
    folder.write("sub/x.so", "");
    const auto file = [&](const std::string& name) { return "'" + here + "/" + name + "'"; };
    EXPECT_EQ(with_absolute_paths("python3 mine.py"), "python3 " + file("mine.py"));
    EXPECT_EQ(with_absolute_paths("./mine.py -v x"), file("mine.py") + " -v x");
    EXPECT_EQ(with_absolute_paths("A=1 exec ./mine.py"), "A=1 exec " + file("mine.py"));
    EXPECT_EQ(with_absolute_paths("kvcheck serve sub/x.so"), "kvcheck serve " + file("sub/x.so"));
    EXPECT_EQ(with_absolute_paths("cat 'my file'"), "cat " + file("my file"));
    EXPECT_EQ(with_absolute_paths("cd ./sub && cat <mine.py"),
              "cd " + file("sub") + " && cat <" + file("mine.py"));
    for (const std::string same : {"echo hello", "read l; echo 1; exit 3", "python3 -m sub",
                                   "python3 none.py", "cat \"$X\"/mine.py", "cat mine.*",
                                   "/bin/cat", "", "'unended", "echo '{\"done\": [1]}'"}) {
        EXPECT_EQ(with_absolute_paths(same), same);
    }
    std::filesystem::current_path(before);
}

}  // namespace
}  // namespace kvcheck
