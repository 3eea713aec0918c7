// SPDX-License-Identifier: Apache-2.0
// The end of a session and of the process counts: a crash, an exit, garbage or a hang there is a
// verdict, and hangs are not paid for each session.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/adapters/plugins.hpp"
#include "tests/cli/child.hpp"

namespace kvcheck {
namespace {

using testing::HasSubstr;

Outcome ended(const std::string& subject, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = {"run",    "--subject", subject,    "--cases", "12",
                                      "--seed", "x",         "--corpus", "none"};
    words.insert(words.end(), more.begin(), more.end());
    return kvcheck_with(words, "", plain_signals);
}

struct BadEnd {
    const char* name;
    const char* words;
};

TEST(Close, ADeathThereIsAVerdictOfThePropertyThatRan) {
    for (const BadEnd& end : {BadEnd{"CLOSE_CRASHES", "signal 11 (Segmentation fault)"},
                              BadEnd{"CLOSE_EXITS", "it exited with code 0"},
                              BadEnd{"CLOSE_PRINTS", "it printed \"good bye\""}}) {
        SCOPED_TRACE(end.name);
        const Outcome run = ended(plugin(end.name), {"--property", "outputs_match_the_oracle"});
        EXPECT_EQ(run.code, 1) << run.out << run.err;
        const std::string line = line_with(run.out, "crashed: close: ");
        EXPECT_THAT(line, HasSubstr(end.words)) << run.out;
    }
}

TEST(Close, AHangThereIsATimeOutAndThreeAreEnough) {
    const Outcome run = ended(plugin("CLOSE_HANGS"), {"--call-timeout", "200ms"});
    EXPECT_EQ(run.code, 1) << run.out << run.err;
    EXPECT_THAT(run.out, HasSubstr("close: no answer within 200 ms"));
    EXPECT_THAT(run.out, HasSubstr("0 properties held, 3 failed, " +
                                   std::to_string(skipped_in(run).size()) + " skipped"));
}

/// A child of a few shell lines that answers a session of one token; `at_close` is what it does
/// when it is asked to close.
std::string closing_child(const std::string& at_close) {
    return "exec:while read -r l; do case \"$l\" in "
           "'{\"hello\"'*) echo '{\"done\":{\"protocol\":1,\"name\":\"child\",\"features\":"
           "[\"attention\"]}}';; "
           "'{\"open\"'*) echo '{\"done\":{\"session\":1}}';; "
           "'{\"append\"'*) echo '{\"done\":{\"output\":null}}';; "
           "'{\"close\"'*) " +
           at_close + ";; *) echo '{\"done\":{}}';; esac; done";
}

TEST(Close, AChildThatDiesOrTalksNonsenseThereIsToldSo) {
    const std::vector<std::pair<std::string, std::string>> ends = {
        {"kill -11 $$", "close: "},
        {"exit 4", "it exited with code 4"},
        {"echo nonsense", "it said: nonsense"}};
    for (const auto& [at_close, words] : ends) {
        SCOPED_TRACE(at_close);
        const Outcome run =
            ended(closing_child(at_close), {"--property", "outputs_match_the_oracle"});
        EXPECT_EQ(run.code, 1) << run.out << run.err;
        EXPECT_THAT(line_with(run.out, "crashed: close: "), HasSubstr(words)) << run.out;
    }
}

TEST(End, ADeathOfTheProcessThereFailsTheRun) {
    for (const BadEnd& end : {BadEnd{"END_CRASHES", "signal 11 (Segmentation fault)"},
                              BadEnd{"END_EXITS", "it exited with code 3"},
                              BadEnd{"END_HANGS", "it did not end within 1000 ms"},
                              BadEnd{"END_PRINTS", "it answered what nobody asked: good bye"}}) {
        SCOPED_TRACE(end.name);
        const Outcome run = ended(
            plugin(end.name), {"--property", "outputs_match_the_oracle", "--call-timeout", "1s"});
        EXPECT_EQ(run.code, 1) << run.out << run.err;
        EXPECT_THAT(line_with(run.out, "FAILED     the end of the process: "), HasSubstr(end.words))
            << run.out;
        EXPECT_THAT(run.out, HasSubstr("1 properties held, 0 failed"));
        const Outcome doctor = kvcheck_with(
            {"doctor", "--subject", plugin(end.name), "--call-timeout", "1s"}, "", plain_signals);
        EXPECT_EQ(doctor.code, 1) << doctor.out;
        EXPECT_THAT(line_with(doctor.out, "at the end of the process, "), HasSubstr(end.words));
    }
}

}  // namespace
}  // namespace kvcheck
