// SPDX-License-Identifier: Apache-2.0
// Damaged answers, lines and frames: each is understood or is a verdict in words, within the limits
// of time and memory; a crash, an assertion or an exception is a fault. The environment variable
// KVCHECK_FUZZ_ANSWERS says how many answers; the stream is always the same.
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>

#include "impl/catalogue.hpp"
#include "impl/protocol/child.hpp"
#include "impl/protocol/requests.hpp"
#include "tests/impl/protocol/served.hpp"
#include "tests/model/allocated.hpp"

namespace kvcheck {
namespace {

Index answer_count() {
    constexpr Index count_default = 100;
    const char* const text = std::getenv("KVCHECK_FUZZ_ANSWERS");
    return text == nullptr ? count_default : std::atoll(text);
}

constexpr Index rows = 2;
constexpr Index tokens = 2;

Spec spec_of_the_record() {
    Spec spec;
    spec.rows = rows;
    spec.capacity = 2 * tokens;
    return spec;
}

/// One append of ones to every row.
struct RecordedCall {
    std::array<Index, rows> counts{tokens, tokens};
    std::array<std::uint8_t, rows * tokens> real{1, 1, 1, 1};
    std::array<float, rows * tokens> ones{1, 1, 1, 1};
    std::array<float, rows * tokens> outputs{};

    AppendCall call() {
        const Shape shape = {rows, tokens, 1, 1};
        const std::array<Index, 4> stride = {tokens, 1, 1, 1};
        AppendCall call;
        call.counts = counts;
        call.real = real;
        call.query = call.key = call.value = {reinterpret_cast<const std::byte*>(ones.data()),
                                              ElementType::f32, shape, stride};
        call.output = {reinterpret_cast<std::byte*>(outputs.data()), ElementType::f32, shape,
                       stride};
        return call;
    }
};

/// The requests that drive_once() makes.
std::vector<std::string> requests(bool frames) {
    const Spec spec = spec_of_the_record();
    RecordedCall data;
    const AppendCall call = data.call();
    const auto line = [](const char* verb, Json body) {
        Json request;
        request[verb] = std::move(body);
        return request.dump();
    };
    const auto frame = [](FrameKind kind, std::initializer_list<Index> words) {
        FrameWriter writer(kind);
        for (const Index word : words) writer.word(word);
        return writer.take();
    };
    const std::string hello = line("hello", {{"protocol", 1}});
    const std::string reset = line("reset", {{"session", 1}});
    if (frames) {
        const std::string append = append_frame(call, spec, 1);
        return {hello,
                open_frame(spec_text(spec), {}),
                append,
                frame(FrameKind::numbers, {1}),
                frame(FrameKind::export_kv, {1, 0, tokens}),
                reset,
                append,
                frame(FrameKind::numbers, {1}),
                frame(FrameKind::close, {1})};
    }
    const std::string append = line("append", append_body(call, spec, 1, true));
    const std::string numbers = line("numbers", {{"session", 1}});
    return {hello,
            line("open", open_body(spec, {})),
            append,
            numbers,
            line("export_kv", {{"session", 1}, {"row", 0}, {"length", tokens}}),
            reset,
            append,
            numbers,
            line("close", {{"session", 1}})};
}

/// A record of right answers as recorded_child reads it.
std::string write_record(bool frames) {
    auto answers = served_messages(*built_in_subjects()[0].make("plain"), requests(frames));
    Json hello = Json::parse(answers[0]);
    if (!frames) hello["done"].erase("frames");
    answers[0] = hello.dump();
    const std::string path = testing::TempDir() + "/kvcheck_" + std::to_string(getpid()) +
                             (frames ? "_frames.record" : "_lines.record");
    std::ofstream file(path, std::ios::binary);
    for (std::string& answer : answers) {
        if (!begins_frame(answer)) answer += '\n';
        const std::uint64_t size = answer.size();
        file.write(reinterpret_cast<const char*>(&size), sizeof size);
        file << answer;
    }
    return path;
}

using Seen = std::map<Status::Kind, Index>;

/// Every call of the record, whatever became of the one before. `seen` counts how they ended.
void drive_once(Subject& subject, Seen& seen) {
    const auto count = [&](const Status& status) {
        ++seen[status.kind];
        EXPECT_EQ(status.message.empty(), status.ok());
        EXPECT_EQ(status.message.find_first_of("\x01\x1b\n"), std::string::npos) << status.message;
    };
    Opened opened = subject.open(spec_of_the_record(), {});
    count(opened.status);
    if (!opened.session) return;
    Session& session = *opened.session;
    RecordedCall data;
    std::array<RowNumbers, rows> numbers;
    RecordedCall exported;
    const OutputView array{reinterpret_cast<std::byte*>(exported.outputs.data()),
                           ElementType::f32,
                           {1, tokens, 1},
                           {tokens, 1, 1}};
    count(session.append(data.call()));
    count(session.numbers(numbers));
    count(session.export_kv(0, array, array));
    count(session.apply(Reset{}));
    count(session.append(data.call()));
    count(session.numbers(numbers));
    count(session.close());
}

class GarbledAnswers : public testing::TestWithParam<bool> {};

TEST_P(GarbledAnswers, AreUnderstoodOrVerdictsInWords) {
    const std::string record = write_record(GetParam());
    ChildLimits limits;
    limits.answer = std::chrono::milliseconds(250);
    constexpr std::size_t bytes_max = std::size_t{16} << 20;  // for a whole conversation
    const Index count = (answer_count() + 1) / 2;
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
    std::remove(record.c_str());
    // Both are reached only where a fair share of the damage is seen, and a fair share is not.
    EXPECT_GT(broken * 20, count);
    EXPECT_GT(seen[Status::Kind::done], count);
}

INSTANTIATE_TEST_SUITE_P(Both, GarbledAnswers, testing::Bool(), [](const auto& test) {
    return std::string(test.param ? "Frames" : "Lines");
});

TEST(Record, WithoutDamageIsAllDone) {
    for (const bool frames : {false, true}) {
        const auto answers =
            served_messages(*built_in_subjects()[0].make("plain"), requests(frames));
        ASSERT_EQ(answers.size(), 9U);
        for (const std::string& answer : answers)
            EXPECT_TRUE(begins_frame(answer) || answer.rfind("{\"done\":", 0) == 0) << answer;
    }
}

}  // namespace
}  // namespace kvcheck
