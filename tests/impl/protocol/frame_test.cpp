// SPDX-License-Identifier: Apache-2.0
// Frames written and read back, and frames that are not what they should be: each is refused in
// words, and nothing is read beyond it.
#include "impl/protocol/frame.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <limits>
#include <sstream>

#include "tests/model/allocated.hpp"
#include "tests/model/refusal.hpp"

namespace kvcheck {
namespace {

TEST(Frame, PartsComeBackAsTheyWere) {
    const std::array<float, 6> numbers = {1, 2, 3, 4, 5, 6};
    const InputView view{
        reinterpret_cast<const std::byte*>(numbers.data()), ElementType::f32, {2, 2}, {3, 1}};
    FrameWriter writer(FrameKind::append);
    writer.word(-5);
    writer.text("seven b");
    writer.claim(claim_of(view));
    writer.elements(view);
    const std::string frame = writer.take();

    FrameReader reader(frame, "request");
    EXPECT_EQ(reader.kind(), FrameKind::append);
    EXPECT_EQ(reader.word("a", -5, 5), -5);
    EXPECT_EQ(reader.text("b"), "seven b");
    const ViewClaim claim = reader.claim("c");
    EXPECT_EQ(claim.type, ElementType::f32);
    EXPECT_EQ(claim.shape, view.shape);
    EXPECT_EQ(claim.placement, placement_of(view));
    std::array<float, 4> back{};
    reader.elements("d",
                    {reinterpret_cast<std::byte*>(back.data()), ElementType::f32, {2, 2}, {2, 1}});
    EXPECT_EQ(back, (std::array<float, 4>{1, 2, 4, 5}));
    reader.end();
}

TEST(Frame, MessagesAreToldApart) {
    FrameWriter first(FrameKind::numbers);
    first.word(Index('\n'));
    const std::string frame = first.take();
    std::istringstream in("a line\n" + frame + "{}\n" + frame.substr(0, frame.size() - 1));
    std::string message;
    EXPECT_TRUE(read_message(in, message));
    EXPECT_EQ(message, "a line");
    EXPECT_TRUE(read_message(in, message));
    EXPECT_EQ(message, frame);
    EXPECT_TRUE(read_message(in, message));
    EXPECT_EQ(message, "{}");
    EXPECT_FALSE(read_message(in, message)) << "its end is missing";
}

TEST(Frame, AHeadThatPromisesTooMuchCostsNothing) {
    std::string frame = FrameWriter(FrameKind::numbers).take();
    frame[14] = '\x7f';
    std::istringstream in(frame + "a few bytes");
    std::string message;
    const std::size_t before = bytes_allocated();
    EXPECT_FALSE(read_message(in, message));
    EXPECT_LT(bytes_allocated() - before, std::size_t{4} << 20);
}

/// What reading a frame of these words says.
template <class Read>
std::string refusal_of_words(const std::vector<Index>& words, const Read& read) {
    FrameWriter writer(FrameKind::append);
    for (const Index word : words) writer.word(word);
    const std::string frame = writer.take();
    return refusal_of([&] {
        FrameReader reader(frame, "request");
        read(reader);
        reader.end();
    });
}

TEST(Frame, WhatIsNotWhatItShouldBeIsRefusedInWords) {
    constexpr Index most = std::numeric_limits<Index>::max();
    const auto word = [](FrameReader& frame) { frame.word("session", 0, 9); };
    const auto text = [](FrameReader& frame) { frame.text("words"); };
    const auto claim = [](FrameReader& frame) { frame.claim("q"); };
    EXPECT_EQ(
        refusal_of_words({}, word),
        "request.session: found 0 bytes at the end of the frame, expected 8 and zeros up to a "
        "multiple of 8");
    EXPECT_EQ(refusal_of_words({10}, word),
              "request.session: found 10, expected an integer from 0 to 9");
    EXPECT_EQ(refusal_of_words({1, 1}, word), "request.size: found 16, expected 8");
    for (const Index size : {Index{9}, Index{-1}, most, std::numeric_limits<Index>::min()}) {
        EXPECT_EQ(refusal_of_words({size, 0}, text),
                  "request.words: found " + std::to_string(size) +
                      ", expected what fits into the 8 bytes that follow");
    }
    EXPECT_EQ(refusal_of_words({2}, claim),
              "request.q.element: found 2, expected an integer from 0 to 1");
    EXPECT_EQ(refusal_of_words({0, 5}, claim),
              "request.q.rank: found 5, expected an integer from 0 to 4");
    EXPECT_EQ(refusal_of_words({0, 1, 16}, claim),
              "request.q.offset: found 16, expected an integer from 0 to 15");
    EXPECT_EQ(refusal_of_words({0, 1, 0, -1}, claim),
              "request.q.shape: found -1, expected an integer from 0 to 268435456");
    EXPECT_EQ(refusal_of_words({0, 1, 0, 1 << 28, 0, 0, 0, 2, 0, 0, 0}, claim),
              "request.q: found a larger view, expected less memory");
    EXPECT_EQ(refusal_of_words({0, 2, 0, 1 << 20, 1 << 20, 0, 0, 0, 0, 0, 0}, claim),
              "request.q: found a larger view, expected fewer elements");
}

TEST(Frame, AWrongHeadIsRefused) {
    FrameWriter writer(FrameKind::append);
    writer.word(1);
    const std::string frame = writer.take();
    const auto refusal = [](const std::string& text) {
        return refusal_of([&] { FrameReader(text, "request"); });
    };
    EXPECT_EQ(refusal(frame), "nothing was refused");
    EXPECT_EQ(refusal(frame.substr(0, 12)),
              "request.head: found 12 bytes, expected a head of 16 that begins with 1");
    EXPECT_EQ(refusal(frame + "x"), "request.size: found 8, expected 9");
    std::string other = frame;
    other[5] = 1;
    EXPECT_EQ(refusal(other),
              "request.head: found other bytes, expected zeros from byte 2 to byte 7");
}

}  // namespace
}  // namespace kvcheck
