// SPDX-License-Identifier: Apache-2.0
// Damaged answers of a process: each is understood or is a verdict in words, and one that never
// ends is waited for no longer than the limit. Many more are read in garbled_answers_test.cpp.
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "impl/protocol/child.hpp"
#include "tests/impl/protocol/recorded.hpp"
#include "tests/model/allocated.hpp"
#include "tests/share.hpp"
#include "tests/temporary_folder.hpp"

namespace kvcheck {
namespace {

/// The record as recorded_child reads it.
std::string write_record(const TemporaryFolder& folder, bool frames) {
    std::string text;
    for (const std::string& answer : recorded_answers(frames)) {
        const std::uint64_t size = answer.size();
        text.append(reinterpret_cast<const char*>(&size), sizeof size);
        text += answer;
    }
    return folder.write("record", text);
}

class GarbledChildren : public testing::TestWithParam<bool> {};

TEST_P(GarbledChildren, AreUnderstoodOrVerdictsInWords) {
    const TemporaryFolder folder;
    const std::string record = write_record(folder, GetParam());
    ChildLimits limits;
    limits.answer = std::chrono::milliseconds(250);
    constexpr std::size_t bytes_max = std::size_t{16} << 20;  // for a whole conversation
    const Index count = share_of(50, 20);
    Seen seen;
    Index broken = 0;
    for (Index n = 0; n < count; ++n) {
        SCOPED_TRACE(n);
        const std::size_t before = bytes_allocated();
        const auto subject =
            make_child("exec " KVCHECK_RECORDED " " + record + " " + std::to_string(n), limits);
        const Index died = seen[Status::Kind::died];
        drive_once(*subject, seen);
        broken += seen[Status::Kind::died] > died ? 1 : 0;
        ASSERT_LT(bytes_allocated() - before, bytes_max);
        ASSERT_FALSE(HasFailure());
    }
    RecordProperty("died", std::to_string(broken));
    RecordProperty("late", std::to_string(seen[Status::Kind::timed_out]));
    // Both are reached only where a fair share of the damage is seen, and a fair share is not.
    EXPECT_GT(broken * 20, count);
    EXPECT_GT(seen[Status::Kind::done], count);
}

INSTANTIATE_TEST_SUITE_P(Both, GarbledChildren, testing::Bool(), [](const auto& test) {
    return std::string(test.param ? "Frames" : "Lines");
});

}  // namespace
}  // namespace kvcheck
