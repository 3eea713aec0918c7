// SPDX-License-Identifier: Apache-2.0
// The environment a program is started in: closed streams, a full disk behind standard output, an
// ignored hangup, names that no file can have. Each ends in a line and an exit code, none in a
// signal, and output that is lost is no success.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "model/case_file.hpp"
#include "tests/cli/child.hpp"

namespace kvcheck {
namespace {

using testing::HasSubstr;

struct Ended {
    int code = 0;
    std::string out;
    std::string err;
};

/// A line of bash in a folder of its own, with KVCHECK as the program; streams may be redirected.
Ended shell(const std::string& line, const TemporaryFolder& folder) {
    const std::string script =
        folder.write("script", "export KVCHECK_SEED=tests\ncd '" + folder.path() + "'\nKVCHECK='" +
                                   KVCHECK_PROGRAM + "'\n" + line + "\n");
    const std::string out = folder.file("stdout");
    const std::string err = folder.file("stderr");
    const int status =
        std::system(("bash '" + script + "' >'" + out + "' 2>'" + err + "'").c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_text_file(out), read_text_file(err)};
}

const std::string normalise_run = "\"$KVCHECK\" run --cases 2 --property rows_normalise --seed x ";
constexpr const char* child = "--subject \"exec:$KVCHECK serve plain\"";

TEST(Streams, ThatAreClosedAreNobodysPipe) {
    for (const std::string closed : {"<&-", "2>&-", "<&- 2>&-"}) {
        SCOPED_TRACE(closed);
        const TemporaryFolder folder;
        const Ended run = shell(normalise_run + child + " " + closed, folder);
        EXPECT_EQ(run.code, 0) << run.out << run.err;
        EXPECT_THAT(run.out, HasSubstr("2 properties held"));
    }
    for (const std::string closed : {">&-", "<&- >&- 2>&-"}) {
        SCOPED_TRACE(closed);
        const TemporaryFolder folder;
        EXPECT_EQ(shell(normalise_run + child + " " + closed, folder).code, 2);
    }
}

TEST(Streams, LostOutputIsNoSuccess) {
    for (const std::string command :
         {"list", "--help", "--version", "example", "doctor", "run --gtest_list_tests",
          "run --quick --property rows_normalise"}) {
        SCOPED_TRACE(command);
        const TemporaryFolder folder;
        const Ended ended = shell("\"$KVCHECK\" " + command + " >/dev/full", folder);
        EXPECT_EQ(ended.code, 2) << ended.err;
        EXPECT_THAT(ended.err, HasSubstr("kvcheck: standard output: found "));
    }
    const TemporaryFolder folder;
    const Ended failed = shell(
        "\"$KVCHECK\" run --quick --subject mutant:chunk_local_mask --seed x "
        "--property chunks_do_not_matter >/dev/full",
        folder);
    EXPECT_EQ(failed.code, 1) << "a failure stays one: " << failed.err;
}

TEST(Streams, ThatNobodyReadsEndTheProgramWithoutAWord) {
    for (const std::string& command :
         {std::string("list"), "run --property rows_normalise --cases 20 " + std::string(child),
          "replay '" KVCHECK_SOURCE "/corpus/mask_from_chunk_local_indices.json' " +
              std::string(child)}) {
        SCOPED_TRACE(command);
        const TemporaryFolder folder;
        // The reader is gone before the first line.
        const Ended ended = shell(
            "{ sleep 0.2; \"$KVCHECK\" " + command + "; echo $? >code; } | true; cat code", folder);
        EXPECT_EQ(ended.out, "141\n");
        EXPECT_EQ(ended.err, "");
    }
}

TEST(Signals, ThatAreIgnoredStayIgnored) {
    const TemporaryFolder folder;
    const Ended run = shell(
        "trap '' HUP\n\"$KVCHECK\" run --cases 100000 --time 2s --property "
        "rows_normalise & sleep 0.5; kill -HUP $!; wait $!",
        folder);
    EXPECT_EQ(run.code, 0) << run.out << run.err;
    const Ended other = shell(
        "\"$KVCHECK\" run --cases 100000 --time 60s --property "
        "rows_normalise & sleep 0.5; kill -HUP $!; wait $!",
        folder);
    EXPECT_EQ(other.code, 129) << other.out << other.err;
}

TEST(Names, ThatNoFileCanHaveAreBadInput) {
    const TemporaryFolder folder;
    const std::string long_name(400, 'x');
    const std::vector<std::string> lines = {
        "\"$KVCHECK\" run --subject ./" + long_name + ".so",
        "ln -s l.so l.so; \"$KVCHECK\" run --subject ./l.so",
        "\"$KVCHECK\" run --corpus " + long_name, "\"$KVCHECK\" replay " + long_name,
        "mkdir gone; cd gone; rmdir ../gone; \"$KVCHECK\" run --subject ./none.so"};
    for (const std::string& line : lines) {
        SCOPED_TRACE(line);
        const Ended ended = shell(line, folder);
        EXPECT_EQ(ended.code, 2) << ended.out << ended.err;
        EXPECT_EQ(ended.err.rfind("kvcheck: ", 0), 0U) << ended.err;
        EXPECT_EQ(lines_of(ended.err).size(), 1U) << ended.err;
    }
}

TEST(System, WithoutProcIsToldAndRunsAllTheSame) {
    const TemporaryFolder folder;
    // Needs the right to make a namespace, which not every container grants.
    const std::string hidden =
        "unshare -rm bash -c 'mount -t tmpfs none /proc && exec \"$0\" \"$@\"' ";
    if (shell(hidden + "true", folder).code != 0) GTEST_SKIP() << "no namespaces here";
    const Ended run = shell(hidden + normalise_run + child, folder);
    EXPECT_EQ(run.code, 0) << run.out << run.err;
    EXPECT_EQ(run.err.rfind("kvcheck: no /proc here", 0), 0U) << run.err;
}

TEST(Interrupt, LeavesNoFolderAndNoProcess) {
    const TemporaryFolder folder;
    const Ended run = shell(
        "mkdir tmp; export TMPDIR=$PWD/tmp\n\"$KVCHECK\" run --subject 'exec:setsid "
        "sleep 66.6 & sleep 66.6' & sleep 1; kill -TERM $!; wait $!; code=$?; ls tmp; "
        "grep -lz '^66.6' /proc/[0-9]*/cmdline; exit $code",
        folder);
    EXPECT_EQ(run.code, 143) << run.out << run.err;
    EXPECT_EQ(run.out, "");
}

TEST(Interrupt, LeavesNoFolderOfAProgramThatWasStartedAgain) {
    const TemporaryFolder folder;
    // It answers hello, dies at everything else, and waits in the end.
    const Ended run = shell(
        "mkdir tmp; export TMPDIR=$PWD/tmp MARK=$PWD/mark\n"
        "cat >child <<'END'\n"
        "read -r l; echo "
        "'{\"done\":{\"protocol\":1,\"name\":\"x\",\"features\":[\"attention\"]}}'\n"
        "read -r l; echo x >>$MARK; [ $(wc -l <$MARK) -lt 4 ] && exit 3; sleep 60\n"
        "END\n"
        "\"$KVCHECK\" run --jobs 1 --corpus none --call-timeout 60s --subject 'exec:sh ./child' & "
        "until [ $(cat mark 2>/dev/null | wc -l) = 4 ]; do sleep 0.1; done; "
        "kill -TERM $!; wait $!; code=$?; ls tmp >&2; exit $code",
        folder);
    EXPECT_EQ(run.code, 143) << run.out << run.err;
    EXPECT_THAT(run.err, testing::Not(HasSubstr("kvcheck-")));
}

TEST(Scripts, WithoutRootAndSudoNameTheMissingPackages) {
    const TemporaryFolder folder;
    const Ended ended = shell(
        "mkdir bin; printf '#!/bin/sh\\nexit 1\\n' >bin/dpkg-query\n"
        "printf '#!/bin/sh\\necho 65534\\n' >bin/id; chmod +x bin/*\n"
        "ln -s \"$(command -v grep)\" \"$(command -v bash)\" \"$(command -v sh)\" bin\n"
        "PATH=$PWD/bin bash -c 'set -euo pipefail; . " KVCHECK_SOURCE
        "/scripts/setup.sh; install one-package another; echo went on'",
        folder);
    EXPECT_EQ(ended.code, 2) << ended.out << ended.err;
    EXPECT_EQ(ended.out, "");
    EXPECT_THAT(ended.err, HasSubstr("nor sudo to install them: one-package another"));
}

TEST(Replay, TheLineIsQuotedForAShell) {
    const TemporaryFolder folder;
    const Ended run = shell(
        "\"$KVCHECK\" run --save 'my cases; touch pwned' --fail-fast --seed x --subject "
        "mutant:chunk_local_mask >out; line=$(sed -n 's/^ *replay *kvcheck//p' out | head -1)\n"
        "eval \"'$KVCHECK' $line\"; code=$?; [ -e pwned ] && exit 9; exit $code",
        folder);
    EXPECT_EQ(run.code, 1) << run.out << run.err;
    EXPECT_THAT(run.out, HasSubstr("FAILED "));
}

}  // namespace
}  // namespace kvcheck
