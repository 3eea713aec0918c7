// SPDX-License-Identifier: Apache-2.0
// The commands of docs/ci.md do what the page says, with the C example as the library and few
// cases.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "model/case_file.hpp"
#include "tests/adapters/plugins.hpp"
#include "tests/cli/child.hpp"

namespace kvcheck {
namespace {

using testing::HasSubstr;

/// The blocks of the page in this language.
std::vector<std::string> blocks_of(const std::string& language) {
    const std::string page = read_text_file(KVCHECK_SOURCE "/docs/ci.md");
    const std::string begin = "```" + language + "\n";
    std::vector<std::string> blocks;
    for (std::size_t at = page.find(begin); at != std::string::npos; at = page.find(begin, at)) {
        at += begin.size();
        blocks.push_back(page.substr(at, page.find("```", at) - at));
    }
    return blocks;
}

/// A project with a library, and kvcheck where the page expects it, which draws few cases.
void furnish(const TemporaryFolder& folder) {
    namespace fs = std::filesystem;
    fs::copy_file(plugin("attention"), folder.file("libmine.so"));
    fs::create_directories(folder.file("kvcheck/build/release"));
    const std::string program =
        folder.write("kvcheck/build/release/kvcheck",
                     "#!/bin/sh\nexec '" KVCHECK_PROGRAM "' \"$@\" --quick --cases 4\n");
    fs::permissions(program, fs::perms::owner_all);
}

/// The exit code of a shell that stops at the first failure, as a step of a job does.
int run_step(const TemporaryFolder& folder, const std::string& environment,
             const std::string& step) {
    const std::string script = folder.write("step.sh", step);
    const std::string command = "cd '" + folder.path() + "' && env -u GTEST_TOTAL_SHARDS " +
                                "PATH=\"$PWD/kvcheck/build/release:$PATH\" " + environment +
                                " bash -e '" + script + "' >'" + folder.file("out") + "' 2>&1";
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(Ci, TheShellOfThePageWorks) {
    const std::vector<std::string> blocks = blocks_of("sh");
    ASSERT_EQ(blocks.size(), 2U);
    const TemporaryFolder folder;
    furnish(folder);
    EXPECT_EQ(run_step(folder, "KVCHECK_SEED=ci", blocks[0]), 0)
        << read_text_file(folder.file("out"));
    EXPECT_THAT(read_text_file(folder.file("out")), HasSubstr("seed     ci\n"));
    EXPECT_THAT(read_text_file(folder.file("kvcheck.xml")), HasSubstr("failures=\"0\""));
    EXPECT_EQ(run_step(folder, "KVCHECK_SEED=ci", blocks[1]), 0)
        << read_text_file(folder.file("out"));
    for (const std::string part : {"kvcheck-0.xml", "kvcheck-1.xml"}) {
        EXPECT_THAT(read_text_file(folder.file(part)), HasSubstr("value=\"ci\"")) << part;
    }
}

TEST(Ci, APartThatFailsFailsTheStep) {
    const TemporaryFolder folder;
    furnish(folder);
    std::filesystem::copy_file(plugin("NEGATIVE_LENGTH"), folder.file("libmine.so"),
                               std::filesystem::copy_options::overwrite_existing);
    for (const std::string& block : blocks_of("sh")) {
        EXPECT_EQ(run_step(folder, "KVCHECK_SEED=ci", block), 1)
            << read_text_file(folder.file("out"));
    }
    EXPECT_FALSE(std::filesystem::is_empty(folder.file("counterexamples")));
}

TEST(Ci, TheCheckOfTheJobWorks) {
    const std::string job = blocks_of("yaml").at(0);
    const std::size_t begin = job.find("kvcheck/build/release/kvcheck run");
    ASSERT_NE(begin, std::string::npos);
    std::string step = job.substr(begin, job.find("\n      -", begin) - begin);
    std::replace(step.begin(), step.end(), '\n', ' ');  // as YAML folds it
    const TemporaryFolder folder;
    furnish(folder);
    EXPECT_EQ(run_step(folder, "KVCHECK_SEED=ci GTEST_TOTAL_SHARDS=2 GTEST_SHARD_INDEX=1", step), 0)
        << read_text_file(folder.file("out"));
    EXPECT_THAT(read_text_file(folder.file("kvcheck.xml")), HasSubstr("value=\"ci\""));
}

}  // namespace
}  // namespace kvcheck
