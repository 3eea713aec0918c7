// SPDX-License-Identifier: Apache-2.0
// Every example with one fault, the same in each language: padding is taken for real. It fails with
// a shrunk case, and that case fails through every other door, too, and holds where the fault is
// not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/cli/child.hpp"

namespace kvcheck {
namespace {

struct Plant {
    const char* file;  // below examples/
    const char* right;
    const char* wrong;
};

constexpr Plant in_c = {"c/attention.c", "s->seen[at] = call->real[r * call->tokens + t];",
                        "s->seen[at] = 1;"};
constexpr Plant in_python = {"python/attention.py", "for real, k, v in row if real]",
                             "for real, k, v in row]"};
constexpr Plant in_javascript = {"node/attention.mjs", "row.filter((token) => token.real)", "row"};

bool runs(const std::string& command) {
    return std::system((command + " >/dev/null 2>&1").c_str()) == 0;
}

/// Writes the example with its fault; returns the path.
std::string planted(const Plant& plant, const TemporaryFolder& folder) {
    std::ifstream stream(std::string(KVCHECK_SOURCE "/examples/") + plant.file);
    std::ostringstream text;
    text << stream.rdbuf();
    std::string source = text.str();
    const std::size_t at = source.find(plant.right);
    EXPECT_NE(at, std::string::npos) << plant.file << " has no " << plant.right;
    if (at == std::string::npos) return {};
    source.replace(at, std::string(plant.right).size(), plant.wrong);
    return folder.write(std::filesystem::path(plant.file).filename(), source);
}

/// The doors that this machine has, as typed.
std::vector<std::string> doors(const TemporaryFolder& folder) {
    std::vector<std::string> list;
    const std::string library = folder.file("planted.so");
    const std::string source = planted(in_c, folder);
    EXPECT_TRUE(runs(KVCHECK_C_COMPILER " -O1 -shared -fPIC -I" KVCHECK_SOURCE "/impl/abi '" +
                     source + "' -lm -o '" + library + "'"));
    list.push_back(library);
    list.push_back("exec:" KVCHECK_PROGRAM " serve '" + library + "'");
    if (runs("command -v python3")) list.push_back("exec:python3 " + planted(in_python, folder));
    if (runs("command -v node")) list.push_back("exec:node " + planted(in_javascript, folder));
    return list;
}

TEST(Planted, AFaultIsFoundThroughEveryDoorAndReplaysThroughAllOthers) {
    const TemporaryFolder folder;
    const std::vector<std::string> subjects = doors(folder);
    for (const std::string& subject : subjects) {
        SCOPED_TRACE(subject);
        const TemporaryFolder own;
        const Outcome run = kvcheck_with(
            {"run", "--subject", subject, "--fail-fast", "--seed", "x", "--corpus", "none"},
            own.path());
        EXPECT_EQ(run.code, 1) << run.out << run.err;
        std::string saved;
        for (const auto& entry : std::filesystem::directory_iterator(own.file("counterexamples"))) {
            saved = entry.path();
        }
        ASSERT_NE(saved, "");
        const auto replays = [&](std::vector<std::string> arguments, int code) {
            arguments.insert(arguments.begin(), {"replay", saved});
            const Outcome again = kvcheck_with(arguments);
            EXPECT_EQ(again.code, code)
                << testing::PrintToString(arguments) << again.out << again.err;
        };
        replays({}, 0);
        replays({"--subject", subject}, 1);
        // What one language makes of NaN, another may not: its crashes are its own.
        if (subject != subjects.front()) continue;
        EXPECT_THAT(run.out, testing::HasSubstr("1 row, 1 head, "));
        for (const std::string& other : subjects) replays({"--subject", other}, 1);
        replays({"--subject", subject, "--in-process"}, 1);
    }
}

}  // namespace
}  // namespace kvcheck
