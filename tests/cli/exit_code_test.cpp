// SPDX-License-Identifier: Apache-2.0
// The four exit codes, and that bad input is answered in a line or two on stderr that say where,
// what was found and what was expected.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "model/case_file.hpp"
#include "tests/cli/child.hpp"
#include "tests/temporary_folder.hpp"

namespace kvcheck {
namespace {

using testing::HasSubstr;
using Arguments = std::vector<std::string>;

/// Exit code 2, nothing on stdout, and at most two lines on stderr with these parts in them.
void expect_bad_input(const Arguments& arguments, const std::vector<std::string>& parts) {
    SCOPED_TRACE(testing::PrintToString(arguments));
    const Outcome outcome = kvcheck_with(arguments);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.out, "");
    const std::size_t lines = lines_of(outcome.err).size();
    EXPECT_TRUE(lines == 1 || lines == 2) << outcome.err;
    EXPECT_EQ(outcome.err.rfind("kvcheck: ", 0), 0U) << outcome.err;
    for (const std::string& part : parts) EXPECT_THAT(outcome.err, HasSubstr(part));
}

TEST(ExitCode, IsZeroWhereAllHeld) {
    const Outcome outcome =
        kvcheck_with({"run", "--quick", "--seed", "x", "--property", "outputs_match_the_oracle"});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_EQ(outcome.err, "");
    EXPECT_THAT(outcome.out, HasSubstr("subject  fast "));
    EXPECT_THAT(outcome.out, HasSubstr("seed     x\n"));
    EXPECT_THAT(outcome.out, HasSubstr("2 properties held, 0 failed, 0 skipped, 0 distrusted, 0 "
                                       "not run"));
}

TEST(ExitCode, IsZeroForTheWholeQuickRun) {
    const Outcome outcome = kvcheck_with({"run", "--quick", "--seed", "x"});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr(" held, 0 failed, 0 skipped, 0 distrusted, 0 not run"));
}

TEST(ExitCode, IsOneWhereALargeCaseFails) {
    const Outcome outcome =
        kvcheck_with({"run", "--cases", "50", "--seed", "x", "--subject", "mutant:chunk_local_mask",
                      "--property", "large_cases", "--fail-fast"});
    EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
    EXPECT_EQ(outcome.err, "");
    EXPECT_THAT(outcome.out, HasSubstr("  FAILED     large_cases "));
}

TEST(ExitCode, IsOneForAMutant) {
    const Outcome outcome =
        kvcheck_with({"run", "--quick", "--seed", "x", "--subject", "mutant:chunk_local_mask",
                      "--property", "chunks_do_not_matter"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_EQ(outcome.err, "");
    EXPECT_THAT(outcome.out, HasSubstr("  FAILED     chunks_do_not_matter "));
    EXPECT_THAT(outcome.out, HasSubstr("0 properties held, 2 failed"));
}

TEST(ExitCode, FailFastStopsWithTheRoundOfTheFirstFailure) {
    const Outcome outcome =
        kvcheck_with({"run", "--quick", "--seed", "x", "--subject", "mutant:chunk_local_mask",
                      "--property", "chunks_do_not_matter", "--fail-fast"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.out, HasSubstr("0 properties held, 1 failed, 0 skipped, 0 distrusted, 1 "
                                       "not run"));
    EXPECT_THAT(outcome.out, HasSubstr("beside   chunks_do_not_matter layer failed, too\n"));
}

TEST(ExitCode, IsThreeWhereNothingRan) {
    const Outcome outcome = kvcheck_with({"run", "--gtest_filter=nothing*"});
    EXPECT_EQ(outcome.code, 3);
    EXPECT_THAT(outcome.out, HasSubstr("distrusted nothing was checked\n"));
}

TEST(ExitCode, IsZeroForTheVersion) {
    const Outcome outcome = kvcheck_with({"--version"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.out, testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

TEST(ExitCode, IsZeroForHelp) {
    for (const Arguments& arguments :
         {Arguments{"--help"}, Arguments{"run", "--help"}, Arguments{"replay", "-h"}}) {
        const Outcome outcome = kvcheck_with(arguments);
        EXPECT_EQ(outcome.code, 0);
        EXPECT_EQ(outcome.err, "");
        EXPECT_THAT(outcome.out, HasSubstr("Usage: kvcheck"));
    }
    EXPECT_THAT(kvcheck_with({"--help"}).out,
                HasSubstr("0 all held, 1 a property failed, 2 bad usage or input, 3 distrusted"));
}

TEST(BadUsage, NoSubcommandIsAnswered) { expect_bad_input({}, {"subcommand", "--help"}); }

TEST(BadUsage, AnUnknownSubcommandIsNamed) { expect_bad_input({"walk"}, {"walk"}); }

TEST(BadUsage, AWrongCheckpointIsNamed) {
    expect_bad_input({"generate", "--checkpoint", "/nowhere", "--tokenizer", "/nowhere"},
                     {"/nowhere: found no such file"});
    expect_bad_input({"generate", "--checkpoint", KVCHECK_PROGRAM, "--tokenizer", "/nowhere"},
                     {"expected an integer from 1 to"});
    expect_bad_input({"generate"}, {"--checkpoint is required"});
}

TEST(BadUsage, UnknownWordsAreNamed) {
    expect_bad_input({"run", "--bogus"}, {"--bogus", "not expected"});
    expect_bad_input({"run", "extra"}, {"--subject: found \"extra\", expected one of plain"});
    expect_bad_input({"run", "plain", "plain64"}, {"plain64"});
    expect_bad_input({"list", "--all"}, {"--all", "not expected"});
    expect_bad_input({"replay", "a.json", "b.json"}, {"b.json", "not expected"});
    expect_bad_input({"replay"}, {"FILE", "required"});
    expect_bad_input({"serve"}, {"SUBJECT", "required"});
    expect_bad_input({"run", "--seed"}, {"--seed", "required"});
}

TEST(BadUsage, AnUnknownSubjectIsAnsweredWithTheKnownOnes) {
    for (const Arguments& command : {Arguments{"run"}, Arguments{"run", "--gtest_list_tests"}}) {
        for (const std::string name : {"plane", "mutant:", "chunk_local_mask", "plain "}) {
            Arguments arguments = command;
            arguments.insert(arguments.end(), {"--subject", name});
            expect_bad_input(arguments, {"--subject: found \"" + name + "\", expected one of plain",
                                         "mutant:chunk_local_mask"});
        }
    }
}

TEST(BadUsage, AMissingLibraryIsNamed) {
    for (const Arguments& command : {Arguments{"run", "--subject"}, Arguments{"serve"}}) {
        Arguments arguments = command;
        arguments.emplace_back("./none.so");
        expect_bad_input(arguments, {"./none.so, expected a file that exists"});
    }
    expect_bad_input({"serve", "plane"}, {"found \"plane\", expected one of plain"});
}

TEST(BadUsage, ThreadsAreOfTheFastSubject) {
    for (const std::string name : {"plain", "mutant:chunk_local_mask", "exec:true"}) {
        expect_bad_input({"run", "--threads", "2", "--subject", name},
                         {"--threads: found 2, expected --subject fast"});
    }
    for (const std::string threads : {"0", "-1", "65", "two"}) {
        expect_bad_input({"run", "--threads=" + threads}, {"--threads", threads});
    }
}

TEST(BadUsage, AnUnknownPropertyIsNamed) {
    for (const std::string name : {"outputs", "small_world", "Reset_is_fresh"}) {
        expect_bad_input({"run", "--property", name},
                         {"--property: found \"" + name + "\", expected", "kvcheck list"});
    }
}

/// What follows "did you mean" in the error that these arguments bring.
std::string meant_by(const Arguments& arguments) {
    const Outcome outcome = kvcheck_with(arguments);
    EXPECT_EQ(outcome.code, 2) << testing::PrintToString(arguments) << outcome.out;
    const std::string before = "; did you mean \"";
    const std::size_t at = outcome.err.find(before);
    if (at == std::string::npos) return {};
    const std::size_t begin = at + before.size();
    return outcome.err.substr(begin, outcome.err.find('"', begin) - begin);
}

TEST(DidYouMean, NamesTheNearestOfEachKind) {
    EXPECT_EQ(meant_by({"run", "--subject", "plian"}), "plain");
    EXPECT_EQ(meant_by({"run", "--subject", "mutant:chunk_locl_mask"}), "mutant:chunk_local_mask");
    EXPECT_EQ(meant_by({"run", "--subject", "chunk_local_mask"}), "mutant:chunk_local_mask");
    EXPECT_EQ(meant_by({"run", "--property", "future_is_invisble"}), "future_is_invisible");
    EXPECT_EQ(meant_by({"run", "--property", "small_world"}), "small_worlds");
    EXPECT_EQ(meant_by({"rnu"}), "run");
    EXPECT_EQ(meant_by({"run", "--propery", "x"}), "--property");
    EXPECT_EQ(meant_by({"run", "--fail-fats"}), "--fail-fast");
    EXPECT_EQ(meant_by({"replay", "a.json", "--verbos"}), "--verbose");
}

TEST(DidYouMean, IsSilentWhereNothingIsNear) {
    EXPECT_EQ(meant_by({"run", "--subject", "tensorrt"}), "");
    EXPECT_EQ(meant_by({"run", "--property", "everything"}), "");
    EXPECT_EQ(meant_by({"walk"}), "");
    EXPECT_EQ(meant_by({"run", "--zzzzzz"}), "");
}

TEST(BadUsage, TimesArePositiveNumbersWithAUnit) {
    for (const std::string time :
         {"x", "-5", "0", "5", "5h", "5 s", "nan", "inf", "1e400s", "s", "1e9m", "60s60"}) {
        expect_bad_input({"run", "--time=" + time},
                         {"--time: found \"" + time + "\", expected", "ms, s or m, as in 60s"});
    }
}

TEST(BadUsage, AnEmptyCorpusOrPropertyIsNone) {
    expect_bad_input({"run", "--corpus", ""}, {"--corpus: found nothing, expected a folder"});
    expect_bad_input({"run", "--property", ""}, {"--property: found nothing, expected a property"});
}

/// What a shell prints that runs this in an empty folder, where KVCHECK is the program.
std::string said_by_a_shell(const std::string& script) {
    const TemporaryFolder folder;
    const std::string whole = "cd " + folder.path() + "; KVCHECK=" KVCHECK_PROGRAM "; { " + script +
                              "; } 2>&1 | cat > said";
    EXPECT_EQ(std::system(whole.c_str()), 0);
    return read_text_file(folder.file("said"));
}

TEST(BadUsage, AWorkingFolderThatIsGoneIsTold) {
    const std::string said = said_by_a_shell(
        "mkdir gone; cd gone; rmdir ../gone; $KVCHECK run --quick; echo exit code $?");
    EXPECT_THAT(said, HasSubstr("kvcheck: working folder: found "));
    EXPECT_THAT(said, HasSubstr("exit code 2\n"));
}

TEST(ExitCode, IsOneWhereNoFileMayGrow) {
    const std::string said = said_by_a_shell(
        "(ulimit -f 0; $KVCHECK run --subject mutant:chunk_local_mask --corpus none --cases 5 "
        "--property chunks_do_not_matter; echo exit code $?)");
    EXPECT_THAT(said, HasSubstr("FAILED     chunks_do_not_matter"));
    EXPECT_THAT(said, HasSubstr("exit code 1\n"));
}

TEST(BadUsage, AnEmptyTimeIsNone) {
    expect_bad_input({"run", "--time", ""}, {"--time: found \"\", expected", "as in 60s"});
}

TEST(BadUsage, LimitsOfForeignCodeAreNumbersWithAUnit) {
    expect_bad_input({"run", "--call-timeout", "5"}, {"--call-timeout: found \"5\", expected"});
    expect_bad_input({"run", "--memory-limit", "much"}, {"--memory-limit", "much"});
    EXPECT_EQ(kvcheck_with(
                  {"run", "--memory-limit", "1GiB", "--call-timeout", "1m", "--gtest_list_tests"})
                  .code,
              0);
}

/// What no numeric flag takes.
const std::vector<std::string>& no_numbers() {
    static const std::vector<std::string> texts = {
        "-1", "1e30", "", "text", "-", "1,5", "nan", "1 2", "99999999999999999999999"};
    return texts;
}

TEST(BadUsage, NoNumericFlagTakesWhatIsNoNumberInItsRange) {
    for (const std::string flag :
         {"--cases", "--jobs", "--threads", "--time", "--call-timeout", "--memory-limit"}) {
        for (const std::string& text : no_numbers()) {
            for (const Arguments& arguments :
                 {Arguments{"run", flag, text}, Arguments{"run", flag + "=" + text}}) {
                expect_bad_input(arguments, {flag});
            }
        }
        // Of nothing there is none; of memory that means no limit.
        if (flag != "--memory-limit") expect_bad_input({"run", flag, "0"}, {flag});
    }
    for (const std::string command : {"replay", "doctor"}) {
        for (const std::string flag : {"--threads", "--call-timeout", "--memory-limit"}) {
            Arguments arguments = {command, flag, "-1"};
            if (command == "replay") arguments.emplace_back("none.json");
            expect_bad_input(arguments, {flag});
        }
    }
}

TEST(BadUsage, MemoryIsAWholeNumberWithAUnit) {
    for (const std::string size : {"32", "1023KiB", "1.5GiB", "1GiBs", "1XB", "1bb", "1 GiB",
                                   "1025TiB", "20000000TiB", "+1GiB", " 1GiB"}) {
        expect_bad_input({"run", "--memory-limit=" + size},
                         {"--memory-limit: found \"" + size +
                          "\", expected a whole number of B, "
                          "KiB, MiB, GiB or TiB, at least 1MiB"});
    }
    for (const std::string size : {"0", "1MiB", "1048576", "1048576B", "256M", "32gb", "1024TiB"}) {
        EXPECT_EQ(kvcheck_with({"run", "--memory-limit", size, "--gtest_list_tests"}).code, 0)
            << size;
    }
}

TEST(BadUsage, CasesAreAPositiveInteger) {
    for (const std::string cases :
         {"0", "-1", "abc", "1.5", "1e3", "100000001", "18446744073709551617"}) {
        expect_bad_input({"run", "--cases=" + cases}, {"--cases", cases, "1 to 100000000"});
    }
}

TEST(BadUsage, AMissingCorpusIsNamed) {
    expect_bad_input({"run", "--corpus", "nowhere"}, {"nowhere: found no folder, expected"});
}

TEST(BadUsage, AnUnknownFlagOfGoogleTestIsNamed) {
    const Outcome outcome = kvcheck_with({"run", "--gtest_bogus=1"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.err,
              "kvcheck: command line: found --gtest_bogus=1, expected a flag that GoogleTest "
              "knows\n");
}

TEST(BadUsage, BadCaseFilesAreNamed) {
    const TemporaryFolder folder;
    const std::string missing = folder.file("none.json");
    expect_bad_input({"replay", missing}, {missing + ": found nothing, expected a readable file"});
    expect_bad_input({"replay", folder.path()}, {folder.path() + ": found something that is not"});
    const std::string broken = folder.write("broken.json", "{\"format\": ");
    expect_bad_input({"replay", broken}, {broken + ": found text that stops being JSON at byte 12,",
                                          "expected a JSON document"});
    const std::string newer =
        folder.write("newer.json", R"({"format": "kvcheck case", "version": 2})");
    expect_bad_input({"replay", newer}, {newer + ".version: found 2, expected version 1"});
}

}  // namespace
}  // namespace kvcheck
