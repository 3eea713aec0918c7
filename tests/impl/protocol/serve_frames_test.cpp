// SPDX-License-Identifier: Apache-2.0
// The serving end asked by frames: it says the same as to lines, bit for bit, and what makes no
// sense is refused by a line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "impl/memory/guarded_array.hpp"
#include "impl/protocol/requests.hpp"
#include "impl/protocol/row_numbers_wire.hpp"
#include "tests/impl/protocol/served.hpp"
#include "tests/properties/tampered.hpp"

namespace kvcheck {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

Spec small_spec() {
    Spec spec;
    spec.rows = 2;
    spec.capacity = 4;
    return spec;
}

/// An append of `tokens` tokens to both rows, whose values are numbered from `first`.
class SmallCall {
public:
    SmallCall(Index tokens, float first)
        : counts_(2, tokens), real_(std::size_t(2 * tokens), 1), numbers_(std::size_t(2 * tokens)) {
        for (float& number : numbers_) number = first++;
        call.counts = counts_;
        call.real = real_;
        const Shape shape = {2, tokens, 1, 1};
        const std::array<Index, 4> stride = {tokens, 1, 1, 1};
        const auto* const data = reinterpret_cast<const std::byte*>(numbers_.data());
        call.query = call.key = call.value = {data, ElementType::f32, shape, stride};
        call.output = {reinterpret_cast<std::byte*>(outputs_.data()), ElementType::f32, shape,
                       stride};
    }
    SmallCall(const SmallCall&) = delete;
    SmallCall& operator=(const SmallCall&) = delete;

    std::string frame() const { return append_frame(call, small_spec(), 1); }
    std::string line() const {
        Json request;
        request["append"] = append_body(call, small_spec(), 1, true);
        return request.dump();
    }

    AppendCall call;

private:
    std::vector<Index> counts_;
    std::vector<std::uint8_t> real_;
    std::vector<float> numbers_;
    alignas(64) std::array<float, 16> outputs_{};  // the page lies before it
};

std::string frame_with(FrameKind kind, const std::vector<Index>& list) {
    FrameWriter frame(kind);
    for (const Index word : list) frame.word(word);
    return frame.take();
}

std::string opening() { return open_frame(spec_text(small_spec()), {}); }

std::vector<std::string> replies(const std::vector<std::string>& requests, Tamper tamper = {}) {
    return served_messages(*tampered(std::move(tamper)), requests);
}

/// The float32 numbers of an array of a line, whatever its nesting.
void flatten(const Json& json, std::vector<float>& numbers) {
    if (json.is_number()) return numbers.push_back(json.get<float>());
    for (const Json& element : json) flatten(element, numbers);
}

/// The numbers that follow the fault in the frame of an append or an export.
std::vector<float> numbers_in(const std::string& frame, std::size_t count) {
    FrameReader reader(frame, "answer");
    EXPECT_EQ(reader.text("memory_fault"), "");
    std::vector<float> numbers(count);
    const std::string_view bytes = reader.bytes("numbers", count * sizeof(float));
    std::memcpy(numbers.data(), bytes.data(), bytes.size());
    reader.end();
    return numbers;
}

TEST(ServeFrames, SayTheSameAsLines) {
    const SmallCall first(1, 1);
    const SmallCall second(2, 5);
    const auto frames =
        replies({opening(), first.frame(), second.frame(), frame_with(FrameKind::numbers, {1}),
                 frame_with(FrameKind::export_kv, {1, 0, 3}), frame_with(FrameKind::close, {1})});
    const std::string open =
        R"({"open":{"spec":)" + spec_text(small_spec()) + R"(,"parameters":{}}})";
    const auto lines = replies({open, first.line(), second.line(), R"({"numbers":{"session":1}})",
                                R"({"export_kv":{"session":1,"row":0,"length":3}})",
                                R"({"close":{"session":1}})"});
    ASSERT_EQ(frames.size(), lines.size());
    EXPECT_EQ(FrameReader(frames[0], "answer").word("session"), 1);
    for (const std::size_t n : {1, 2}) {
        std::vector<float> expected;
        flatten(Json::parse(lines[n]).at("done").at("output"), expected);
        EXPECT_EQ(numbers_in(frames[n], expected.size()), expected);
    }
    std::vector<RowNumbers> by_frame(2);
    std::vector<RowNumbers> by_line(2);
    FrameReader numbers(frames[3], "answer");
    read_numbers(numbers, by_frame);
    read_numbers(Json::parse(lines[3]).at("done"), by_line);
    EXPECT_EQ(by_frame, by_line);
    EXPECT_EQ(by_line[0].length, 3);
    FrameReader exported(frames[4], "answer");
    exported.text("memory_fault");
    for (const char* const name : {"key", "value"}) {
        std::vector<float> expected;
        flatten(Json::parse(lines[4]).at("done").at(name), expected);
        std::vector<float> found(expected.size());
        const std::string_view bytes = exported.bytes(name, found.size() * sizeof(float));
        std::memcpy(found.data(), bytes.data(), bytes.size());
        EXPECT_EQ(found, expected);
    }
    exported.end();
    EXPECT_EQ(frames[5], frame_with(FrameKind::close, {}));
}

TEST(ServeFrames, NumbersThatTheSubjectLacksAreLackingThere) {
    Tamper tamper;
    tamper.numbers = [](Session&, std::span<RowNumbers> rows) {
        rows[0].length = 3;
        rows[1].next_id = 0;
        return Status::done();
    };
    const auto list = replies({opening(), frame_with(FrameKind::numbers, {1})}, tamper);
    std::vector<RowNumbers> rows(2);
    FrameReader frame(list[1], "answer");
    read_numbers(frame, rows);
    frame.end();
    EXPECT_EQ(rows[0], (RowNumbers{3, {}, {}, {}, {}, {}}));
    EXPECT_EQ(rows[1], (RowNumbers{{}, {}, {}, {}, 0, {}}));
}

TEST(ServeFrames, AnElementThatWasNotWrittenIsThePoison) {
    Tamper tamper;
    tamper.append = [](Session&, const AppendCall&) { return Status::done(); };
    const SmallCall call(1, 1);
    const auto list = replies({opening(), call.frame()}, tamper);
    const std::vector<float> numbers = numbers_in(list[1], 2);
    for (const float& number : numbers) {
        EXPECT_TRUE(
            GuardedArray::is_poison(ElementType::f32, reinterpret_cast<const std::byte*>(&number)));
    }
}

TEST(ServeFrames, AWriteBesideAnOutputIsTold) {
    for (const bool refuses : {false, true}) {
        Tamper tamper;
        tamper.append = [=](Session&, const AppendCall& call) {
            (&call.output.at<float>(0, 0, 0, 0))[2] = 1;
            return refuses ? Status::refused("no") : Status::done();
        };
        const SmallCall call(1, 1);
        const auto list = replies({opening(), call.frame()}, tamper);
        EXPECT_THAT(list[1], HasSubstr("append wrote outside the elements of its outputs"));
        EXPECT_EQ(begins_frame(list[1]), !refuses);
    }
}

TEST(ServeFrames, WhatIsMalformedIsRefusedByALineAndNothingHasHappened) {
    const SmallCall call(1, 1);
    const std::string append = call.frame();
    std::string with_a_hole = append;
    with_a_hole[frame_head_bytes + 8] = 9;  // counts
    Parameters with_a_table;
    with_a_table.position_table = {1, 2};
    const std::vector<std::pair<std::string, std::string>> table = {
        {frame_with(FrameKind(9), {}), "request.kind: found 9, expected an integer from 1 to 5"},
        {frame_with(FrameKind::append, {}), "request.session: found 0 bytes at the end"},
        {frame_with(FrameKind::append, {1}), "request.counts: found 0 bytes at the end"},
        {frame_with(FrameKind::append, {7}), "request.session: found 7, expected an open session"},
        {with_a_hole, "request."},
        {frame_with(FrameKind::numbers, {1, 1}), "request.size: found 16, expected 8"},
        {frame_with(FrameKind::close, {1, 1}), "request.size: found 16, expected 8"},
        {frame_with(FrameKind::export_kv, {1, 2, 0}),
         "request.row: found 2, expected an integer from 0"},
        {frame_with(FrameKind::export_kv, {1, 0, 5}),
         "request.length: found 5, expected an integer from"},
        {frame_with(FrameKind::export_kv, {1, 0, 1}),
         "request.length: found 1, expected 0, the slots"},
        {open_frame("{", {}), "request.spec: found text that stops being JSON"},
        {open_frame(spec_text(small_spec()), with_a_table),
         "request.position_table: found 2 numbers, expected none, as the spec says"}};
    std::vector<std::string> requests = {opening()};
    for (const auto& row : table) requests.push_back(row.first);
    requests.push_back(append);
    const auto list = replies(requests);
    ASSERT_EQ(list.size(), requests.size());
    for (std::size_t n = 0; n < table.size(); ++n) {
        EXPECT_THAT(list[n + 1], StartsWith("{\"refused\":\"" + table[n].second)) << n;
    }
    EXPECT_EQ(numbers_in(list.back(), 2), (std::vector<float>{1, 2}));
}

}  // namespace
}  // namespace kvcheck
