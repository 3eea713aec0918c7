// SPDX-License-Identifier: Apache-2.0
// A subject that cannot be started is told in one line that names what was typed, as it would be
// without a process in between.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/adapters/plugins.hpp"
#include "tests/cli/child.hpp"

namespace kvcheck {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string error_of(const std::vector<std::string>& arguments, const std::string& folder = "") {
    const Outcome outcome = kvcheck_with(arguments, folder);
    EXPECT_EQ(outcome.code, 2) << outcome.out << outcome.err;
    EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
    return outcome.err;
}

TEST(Loading, ALibraryWithoutTheSymbolIsToldInTheSameWordsFromAChild) {
    const TemporaryFolder folder;
    const std::string path = folder.file("none.so");
    ASSERT_EQ(std::system((KVCHECK_C_COMPILER " -shared -o " + path + " -x c /dev/null").c_str()),
              0);
    const std::string error = error_of({"run", "--subject", "./none.so"}, folder.path());
    EXPECT_THAT(error, HasSubstr("none.so: found no such symbol, expected the symbol "
                                 "kvcheck_plugin_entry\n"));
    EXPECT_EQ(error_of({"run", "--in-process", "--subject", "./none.so"}, folder.path()), error);
    EXPECT_THAT(error, Not(HasSubstr("exec")));
}

TEST(Loading, ALibraryThatDiesIsNamedAsItWasTyped) {
    const TemporaryFolder folder;
    folder.write("dies.c",
                 "#include <stdlib.h>\n__attribute__((constructor)) void f(void) { abort(); }\n");
    ASSERT_EQ(std::system((KVCHECK_C_COMPILER " -shared -fPIC -o " + folder.file("dies.so") + " " +
                           folder.file("dies.c"))
                              .c_str()),
              0);
    const std::string error = error_of({"run", "--subject", "./dies.so"}, folder.path());
    EXPECT_EQ(error.rfind("kvcheck: ./dies.so: found ", 0), 0U) << error;
    EXPECT_THAT(error, HasSubstr("signal 6"));
}

TEST(Loading, AScriptIsNoLibrary) {
    const TemporaryFolder folder;
    folder.write("mine.py", "print('hello')\n");
    for (const std::string typed : {"./mine.py", "mine.py"}) {
        EXPECT_THAT(error_of({"run", typed}, folder.path()), HasSubstr("exec: and how"));
    }
}

TEST(Loading, AProgramsMissingFileIsNamedAsItWasTyped) {
    const TemporaryFolder folder;
    for (const std::string file : {"mine.py", "src/mine"}) {
        const std::string subject = "exec:sh " + file;
        const std::string error = error_of({"run", "--subject", subject}, folder.path());
        EXPECT_EQ(error.rfind("kvcheck: " + subject + ": found no file " + file + " in ", 0), 0U)
            << error;
        EXPECT_THAT(error, HasSubstr("expected the files that the command names"));
        EXPECT_THAT(error, Not(HasSubstr("/kvcheck-")));
    }
}

TEST(Loading, ARelativePathOfACommandIsFoundWhereItWasTyped) {
    const TemporaryFolder folder;
    folder.write("mine.sh", "exec '" KVCHECK_PROGRAM "' serve plain\n");
    const Outcome doctor = kvcheck_with({"doctor", "exec:sh mine.sh"}, folder.path());
    EXPECT_EQ(doctor.code, 0) << doctor.out << doctor.err;
}

TEST(Loading, ARefusalOfHelloIsSaidInTheProgramsWords) {
    EXPECT_THAT(error_of({"run", "--subject", R"(exec:read l; echo '{"refused":"no device"}')"}),
                HasSubstr("found a refusal: no device, expected an answer to hello"));
}

TEST(Answers, ABareNaNIsAnsweredWithItsSpelling) {
    const std::string hello = R"({"done":{"protocol":1,"name":"bare","features":["attention"]}})";
    const std::string child = "exec:read l; echo '" + hello +
                              R"('; read l; echo '{"done":{"session":1}}'; )" +
                              R"(read l; echo '{"done":{"output":[[[[NaN]]]]}}'; read l)";
    const Outcome doctor = kvcheck_with({"doctor", "--subject", child});
    EXPECT_EQ(doctor.code, 1) << doctor.out << doctor.err;
    EXPECT_THAT(doctor.out, HasSubstr(R"(they travel as "nan", "inf", "-inf")"));
}

}  // namespace
}  // namespace kvcheck
