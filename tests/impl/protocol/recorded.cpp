// SPDX-License-Identifier: Apache-2.0
#include "tests/impl/protocol/recorded.hpp"

#include <gtest/gtest.h>

#include <array>

#include "impl/catalogue.hpp"
#include "impl/protocol/requests.hpp"
#include "model/types/lifecycle_json.hpp"
#include "tests/impl/protocol/served.hpp"

namespace kvcheck {
namespace {

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

/// Commands of every kind; afterwards there are rows of one, two and two slots.
std::vector<Lifecycle> commands_of_the_record() {
    return {Truncate{1, 1}, Reorder{{1, 0}}, Fork{1}, Evict{2, 0, 1}, Finish{0}};
}
constexpr Index rows_then = 3;
constexpr Index fork_of_the_record = 2;

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
    const auto command = [&](const Lifecycle& asked) {
        Json body = to_json(asked);
        body["session"] = 1;
        return line(std::string(name_of(asked)).c_str(), body);
    };
    const auto export_of = [&](Index row) {
        return frames ? frame(FrameKind::export_kv, {1, row, tokens})
                      : line("export_kv", {{"session", 1}, {"row", row}, {"length", tokens}});
    };
    const std::string open =
        frames ? open_frame(spec_text(spec), {}) : line("open", open_body(spec, {}));
    const std::string append =
        frames ? append_frame(call, spec, 1) : line("append", append_body(call, spec, 1, true));
    const std::string numbers =
        frames ? frame(FrameKind::numbers, {1}) : line("numbers", {{"session", 1}});
    const std::string close =
        frames ? frame(FrameKind::close, {1}) : line("close", {{"session", 1}});
    std::vector<std::string> list = {
        hello, open, append, numbers, export_of(0), command(Reset{}), append, numbers};
    for (const Lifecycle& asked : commands_of_the_record()) list.push_back(command(asked));
    list.insert(list.end(), {numbers, export_of(fork_of_the_record), close});
    return list;
}

}  // namespace

std::vector<std::string> recorded_answers(bool frames) {
    auto answers = served_messages(*built_in_subjects()[0].make("plain"), requests(frames));
    Json hello = Json::parse(answers[0]);
    if (!frames) hello["done"].erase("frames");
    answers[0] = hello.dump();
    for (std::string& answer : answers) {
        if (!begins_frame(answer)) answer += '\n';
    }
    return answers;
}

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
    std::array<RowNumbers, rows_then> numbers_then;
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
    for (const Lifecycle& command : commands_of_the_record()) count(session.apply(command));
    count(session.numbers(numbers_then));
    count(session.export_kv(fork_of_the_record, array, array));
    count(session.close());
}

}  // namespace kvcheck
