// SPDX-License-Identifier: Apache-2.0
// What the built-in subjects refuse about shifts beside what wrong_command_is_refused tries: tokens
// whose ids would lie below zero, and turned keys in int8.
#include <gtest/gtest.h>

#include "impl/catalogue.hpp"
#include "model/quarter_turns.hpp"
#include "properties/drive/drive.hpp"
#include "tests/model/build.hpp"

namespace kvcheck {
namespace {

class Shifts : public testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        for (const SubjectEntry& entry : built_in_subjects()) {
            if (entry.name == GetParam()) subject = entry.make(std::string(entry.name));
        }
        ASSERT_TRUE(subject);
        spec.capacity = 8;
    }
    std::unique_ptr<Subject> subject;
    Spec spec;
    Parameters parameters;
};

TEST_P(Shifts, LeaveARowWithoutTokensWhereATruncateTookItsNextIdBelowZero) {
    Drive session(*subject, spec, parameters, {});
    for (const Command& command :
         std::vector<Command>{tiny_append({"RRR"}), Evict{0, 0, 2}, Shift{0, 2}, Truncate{1, 0}})
        session.apply(command);
    ASSERT_FALSE(session.in_trouble());
    EXPECT_EQ(session.numbers()[0].next_id, -1);
    EXPECT_EQ(session.attempt(tiny_append({"R"}), {}).kind, Status::Kind::refused);
    session.apply(Reset{0});
    EXPECT_EQ(session.numbers()[0].next_id, 0);
    EXPECT_TRUE(session.attempt(tiny_append({"R"}), {}).ok());
}

TEST_P(Shifts, OfTurnedKeysInInt8AreRefused) {
    spec.key_width = 2;
    spec.rotary = Rotary::halves;
    spec.storage = Storage::int8;
    parameters.rotary_table = quarter_turns(8, {1});
    Drive session(*subject, spec, parameters, {});
    Token token{true, {1, 0, 1, 0, 0}};
    session.apply(Append{{{token, token}}, std::nullopt});
    session.apply(Evict{0, 0, 1});
    ASSERT_FALSE(session.in_trouble());
    EXPECT_EQ(session.attempt(Shift{0, 1}).kind, Status::Kind::refused);
}

INSTANTIATE_TEST_SUITE_P(OfBuiltInSubjects, Shifts, testing::Values("fast", "plain"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace kvcheck
