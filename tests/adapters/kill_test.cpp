// SPDX-License-Identifier: Apache-2.0
// kvcheck ended at drawn moments of a run that finds something: every finding it told of is a whole
// file, every file under a final name is whole, and nothing it started is left. The environment
// variable KVCHECK_KILLS says how many moments. Which moment of a run is hit depends on the
// machine.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "model/case_file.hpp"
#include "properties/generators/draw.hpp"
#include "tests/adapters/plugins.hpp"
#include "tests/cli/child.hpp"

namespace kvcheck {
namespace {

namespace fs = std::filesystem;

Index kill_count() {
    constexpr Index count_default = 10;
    const char* const text = std::getenv("KVCHECK_KILLS");
    return text == nullptr ? count_default : std::atoll(text);
}

constexpr Index kinds = 5;  // of subjects

std::string contents(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// Subjects with findings: in this process, as a library here and in a child, and as a child that
/// has a child; and one whose child's child hangs, so that it does not see that nobody asks.
std::vector<std::string> subject_words(Index n) {
    const std::string mutant = "mutant:chunk_local_mask";
    const std::string library = plugin("FORGETS_LAST_ROW");
    switch (n % kinds) {
        case 0:
            return {"--subject", mutant};
        case 1:
            return {"--subject", library};
        case 2:
            return {"--subject", library, "--in-process"};
        case 3:
            return {"--subject", "exec:" KVCHECK_PROGRAM " serve " + plugin("LOOP") + "; true"};
        default:
            return {"--subject", "exec:" KVCHECK_GARBLER " 1 1000000000 '" KVCHECK_PROGRAM
                                 " serve " +
                                     mutant + "'"};
    }
}

/// A run of kvcheck in `folder` whose processes can be told by a variable of their environment.
pid_t start(const std::string& folder, const std::vector<std::string>& subject,
            const std::string& mark) {
    std::vector<std::string> words = {KVCHECK_PROGRAM, "run",  "--cases",  "40",
                                      "--seed",        "kill", "--corpus", "none"};
    words.insert(words.end(), subject.begin(), subject.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const pid_t child = fork();
    if (child != 0) return child;
    const int out = open((folder + "/out").c_str(), O_CREAT | O_WRONLY, S_IRUSR | S_IWUSR);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    setenv("KVCHECK_KILL_MARK", mark.c_str(), 1);
    setenv("TMPDIR", folder.c_str(), 1);
    if (chdir(folder.c_str()) == 0) execv(KVCHECK_PROGRAM, argv.data());
    _exit(127);
}

/// Names of the processes with this mark.
std::string marked_processes(const std::string& mark) {
    std::string names;
    std::error_code gone;
    for (fs::directory_iterator process("/proc", gone), end; !gone && process != end;
         process.increment(gone)) {
        const std::string environment = contents(process->path() / "environ");
        if (environment.find("KVCHECK_KILL_MARK=" + mark) != std::string::npos)
            names += process->path().filename().string() + " " +
                     contents(process->path() / "cmdline").c_str() + "\n";
    }
    return names;
}

std::string left_behind(const std::string& mark) {
    constexpr int looks = 300;  // a process ends as soon as it is given time to
    std::string names;
    for (int look = 0; look < looks; ++look) {
        names = marked_processes(mark);
        if (names.empty()) break;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return names;
}

void expect_whole_files(const std::string& folder) {
    const fs::path saved = folder + "/counterexamples";
    for (const std::string& line : lines_of(contents(folder + "/out"))) {
        const std::size_t at = line.find("saved    ");
        if (at == std::string::npos) continue;
        EXPECT_TRUE(fs::exists(folder + "/" + line.substr(at + 9))) << line;
    }
    if (!fs::exists(saved)) return;
    for (const auto& entry : fs::directory_iterator(saved)) {
        if (entry.path().extension() != ".json") continue;
        EXPECT_NO_THROW(read_case_file(entry.path().string())) << contents(entry.path());
    }
}

bool has_findings(const std::string& folder) {
    std::error_code none;
    for (const auto& entry :
         std::filesystem::directory_iterator(folder + "/counterexamples", none)) {
        const std::string name = entry.path().filename();
        if (name.rfind("current-case", 0) != 0 && entry.path().extension() == ".json") return true;
    }
    return false;
}

TEST(Ended, AtAnyMomentLosesNoFindingAndLeavesNoHalfFileAndNoProcess) {
    Draw draw{SplitMix(20250102)};
    Index in_time = 0;
    Index with_findings = 0;
    for (Index n = 0; n < kill_count(); ++n) {
        SCOPED_TRACE(n);
        const TemporaryFolder folder;
        const std::string mark = std::to_string(getpid()) + "_" + std::to_string(n) + "_";
        const int signal = n / kinds % 2 == 0 ? SIGKILL : SIGTERM;
        constexpr Index milliseconds_max = 2500;
        const std::chrono::milliseconds moment(draw.range(0, milliseconds_max));
        const pid_t child = start(folder.path(), subject_words(n), mark);
        std::this_thread::sleep_for(moment);
        kill(child, signal);
        int status = 0;
        waitpid(child, &status, 0);
        const bool ended_by_us = WIFSIGNALED(status) || WEXITSTATUS(status) == 128 + SIGTERM;
        in_time += ended_by_us ? 1 : 0;
        const std::string out = contents(folder.file("out"));
        with_findings += has_findings(folder.path()) ? 1 : 0;
        EXPECT_EQ(left_behind(mark), "") << out;
        expect_whole_files(folder.path());
    }
    RecordProperty("killed", std::to_string(in_time));
    RecordProperty("with_findings", std::to_string(with_findings));
    EXPECT_GT(in_time, 0);
    EXPECT_GT(with_findings, 0);
}

}  // namespace
}  // namespace kvcheck
