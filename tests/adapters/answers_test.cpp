// SPDX-License-Identifier: Apache-2.0
// Programs that break the protocol or end in an unusual way are told by what they did.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "tests/adapters/plugins.hpp"
#include "tests/cli/child.hpp"

namespace kvcheck {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* right_hello =
    R"(echo '{"done":{"protocol":1,"name":"child","features":["attention"]}}')";

/// A child of a few shell lines; `on_append` is what it does with an append, `on_hello` with hello.
std::string child_that(const std::string& on_append, const std::string& on_hello = right_hello) {
    return "exec:while read -r l; do case \"$l\" in '{\"hello\"'*) " + on_hello +
           ";; '{\"open\"'*) echo '{\"done\":{\"session\":1}}';; '{\"append\"'*) " + on_append +
           ";; *) echo '{\"done\":{}}';; esac; done";
}

Outcome judged(const std::string& subject, const std::vector<std::string>& more = {},
               const std::vector<std::string>& environment = plain_signals) {
    std::vector<std::string> words = {"run",
                                      "--jobs",
                                      "1",
                                      "--subject",
                                      subject,
                                      "--cases",
                                      "12",
                                      "--seed",
                                      "x",
                                      "--corpus",
                                      "none",
                                      "--property",
                                      "outputs_match_the_oracle"};
    words.insert(words.end(), more.begin(), more.end());
    return kvcheck_with(words, "", environment);
}

TEST(Answers, ALineTooManyIsCalledWhatItIs) {
    for (const std::string more : {"echo two", "echo '{\"done\":{\"output\":null}}'"}) {
        SCOPED_TRACE(more);
        const Outcome run = judged(child_that("echo '{\"done\":{\"output\":null}}'; " + more));
        EXPECT_EQ(run.code, 1) << run.out << run.err;
        EXPECT_THAT(run.out, HasSubstr("it answered what nobody asked"));
        EXPECT_THAT(run.out, Not(HasSubstr("not every time")));
    }
}

TEST(Answers, AChildWhoseOwnChildHoldsThePipeHasExited) {
    const Outcome run = judged(plugin("FORKS_AND_HOLDS"), {"--call-timeout", "30s"});
    EXPECT_EQ(run.code, 1) << run.out << run.err;
    EXPECT_THAT(run.out, HasSubstr("it exited with code 3"));
    EXPECT_THAT(run.out, Not(HasSubstr("no answer within")));
    EXPECT_THAT(run.out, Not(HasSubstr("not every time")));
}

/// `bad_hello` is what it says the second time it is started.
TEST(Answers, ABadHelloOfAProgramStartedAgainIsItsDeath) {
    for (const std::string bad_hello : {R"({"done":{"protocol":1}})", R"({"done":[]})",
                                        R"({"done":{"protocol":1,"name":"x",)"
                                        R"("features":[],"memory":7}})"}) {
        SCOPED_TRACE(bad_hello);
        const TemporaryFolder folder;
        const Outcome run =
            judged(child_that("exit 4", "if [ -e $MARK ]; then echo '" + bad_hello +
                                            "'; else : >$MARK; " + right_hello + "; fi"),
                   {}, {"MARK=" + folder.file("mark")});
        EXPECT_EQ(run.code, 1) << run.out << run.err;
        EXPECT_THAT(run.out, HasSubstr("open: started again: "));
    }
}

/// What an awk program prints on one line: `before`, then `n` times `piece`, then `after`.
std::string printed(const std::string& before, const std::string& piece, int n,
                    const std::string& after) {
    return R"(awk "BEGIN { printf \"%s\", ARGV[1]; for (i = 0; i < )" + std::to_string(n) +
           R"(; ++i) printf \"%s\", ARGV[2]; print ARGV[3] }" ')" + before + "' '" + piece + "' '" +
           after + "'";
}

TEST(Answers, OfMoreThanWasAskedForAreRefusedUnread) {
    const std::vector<std::pair<std::string, std::string>> answers = {
        {printed("{\"done\":{\"output\":[", "0,", 10 << 20, "0]}}"),
         "its answer is longer than what was asked allows; it begins {\"done\""},
        {printed("{\"done\":{\"output\":[", "0,", 900 << 10, "0]}}"),
         "its answer has more parts than what was asked allows; it begins {\"done\""}};
    for (const auto& [answer, words] : answers) {
        const TemporaryFolder folder;
        rusage before = {};
        getrusage(RUSAGE_CHILDREN, &before);
        const Outcome run = judged(child_that(answer), {"--fail-fast"});
        EXPECT_EQ(run.code, 1) << run.out << run.err;
        EXPECT_THAT(run.out, HasSubstr(words));
        rusage after = {};
        getrusage(RUSAGE_CHILDREN, &after);
        constexpr long kib_max = 400
                                 << 10;  // a parsed line of 20 MiB would take more than twice that
        if (before.ru_maxrss >= kib_max) continue;  // some earlier child's
        EXPECT_LT(after.ru_maxrss, kib_max);
    }
}

TEST(Answers, ALongRefusalIsARefusalAndCut) {
    const Outcome run =
        judged(child_that(printed("{\"refused\":\"", "sorry ", 150000, "\"}")), {"--fail-fast"});
    EXPECT_EQ(run.code, 1) << run.out << run.err;
    EXPECT_THAT(run.out, HasSubstr("was refused although the contract admits it: sorry sorry"));
    EXPECT_LT(run.out.size(), 5000U);
}

TEST(Answers, ThatAreGarbledEndInAVerdict) {
    for (const std::string seed : {"1", "2"}) {
        SCOPED_TRACE(seed);
        const Outcome run =
            judged("exec:" KVCHECK_GARBLER " " + seed + " 20 '" KVCHECK_PROGRAM " serve plain'",
                   {"--call-timeout", "1s", "--fail-fast"});
        EXPECT_THAT(run.code, testing::AnyOf(0, 1, 3)) << run.out << run.err;
        EXPECT_EQ(run.err, "");
        EXPECT_THAT(run.out, HasSubstr(" not run; "));
    }
}

}  // namespace
}  // namespace kvcheck
