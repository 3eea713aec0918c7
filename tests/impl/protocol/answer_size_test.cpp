// SPDX-License-Identifier: Apache-2.0
// Where an answer ends and when it is too large, byte by byte as it comes.
#include "impl/protocol/answer_size.hpp"

#include <gtest/gtest.h>

#include "impl/protocol/frame.hpp"

namespace kvcheck {
namespace {

/// How much of `text` has come when the answer is seen, or seen to be too large; -1: neither.
struct SizeSeen {
    Index has_come = -1;
    Index too_large = -1;
};
SizeSeen seen(const std::string& text, const AnswerSize& size) {
    AnswerEnd end(size);
    SizeSeen seen;
    for (std::size_t n = 0; n <= text.size(); ++n) {
        const std::string_view unread(text.data(), n);
        if (seen.has_come < 0 && end.has_come(unread)) seen.has_come = Index(n);
        if (seen.too_large < 0 && end.is_too_large(unread)) seen.too_large = Index(n);
    }
    return seen;
}

constexpr AnswerSize small = {.bytes_max = 8, .parts_max = 4, .frame_bytes_max = 16};

std::string frame_of(std::size_t words) {
    FrameWriter frame(FrameKind::numbers);
    for (std::size_t n = 0; n < words; ++n) frame.word(Index('\n'));  // no end of anything
    return frame.take();
}

TEST(AnswerEnd, OfALineIsItsFirstNewline) {
    AnswerEnd end(small);
    EXPECT_FALSE(end.has_come("abc"));
    EXPECT_TRUE(end.has_come("abcd\nef\n"));
    EXPECT_EQ(end.size(), 4U);
    EXPECT_EQ(end.size_with_end(), 5U);
}

TEST(AnswerEnd, OfAFrameIsWhereItsHeadSays) {
    const std::string frame = frame_of(2);
    EXPECT_EQ(seen(frame, small).has_come, Index(frame_head_bytes) + 16);
    EXPECT_EQ(seen(frame, small).too_large, -1);
    AnswerEnd end(small);
    EXPECT_TRUE(end.has_come(frame + "more"));
    EXPECT_EQ(end.size(), frame.size());
    EXPECT_EQ(end.size_with_end(), frame.size());
}

TEST(AnswerEnd, WhatIsTooLargeIsSeenBeforeItHasCome) {
    const SizeSeen line = seen("123456789\n", small);
    EXPECT_EQ(line.has_come, -1);
    EXPECT_EQ(line.too_large, 9);
    const SizeSeen frame = seen(frame_of(3), small);
    EXPECT_EQ(frame.has_come, -1);
    EXPECT_EQ(frame.too_large, Index(frame_head_bytes)) << "its head is enough";
}

TEST(AnswerEnd, ASizeThatNoFrameHasIsTooLarge) {
    std::string frame = frame_of(1);
    for (std::size_t i = 8; i < frame_head_bytes; ++i) frame[i] = '\xff';
    EXPECT_EQ(seen(frame, small).has_come, -1);
    EXPECT_EQ(seen(frame, small).too_large, Index(frame_head_bytes));
}

TEST(AnswerSize, GrowsWithWhatIsAskedFor) {
    const AnswerSize none = answer_size(0);
    const AnswerSize some = answer_size(10);
    EXPECT_EQ(some.frame_bytes_max - none.frame_bytes_max, 80U);
    EXPECT_GT(some.bytes_max, none.bytes_max);
    EXPECT_GT(some.parts_max, none.parts_max);
    EXPECT_EQ(answer_size(-1).frame_bytes_max, none.frame_bytes_max);
}

}  // namespace
}  // namespace kvcheck
