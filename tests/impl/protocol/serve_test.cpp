// SPDX-License-Identifier: Apache-2.0
// The serving end, request by request: what docs/protocol.md says is answered, what it does not say
// is refused, and a refusal leaves the session as it was.
#include "impl/protocol/serve.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>
#include <cmath>

#include <cstdio>
#include <stdexcept>

#include "impl/catalogue.hpp"
#include "tests/impl/protocol/served.hpp"
#include "tests/properties/tampered.hpp"

namespace kvcheck {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::vector<Json> answers(const std::vector<std::string>& requests) {
    return served(*built_in_subjects()[0].make("plain"), requests);
}

/// The answers of a subject with one thing about it changed.
std::vector<Json> answers(Tamper tamper, const std::vector<std::string>& requests) {
    return served(*tampered(std::move(tamper)), requests);
}

const std::string numbers = R"({"numbers":{"session":1}})";

/// The lengths of all rows, from an answer to `numbers`.
std::vector<Index> lengths_of(const Json& answer) {
    std::vector<Index> lengths;
    for (const Json& row : answer.at("done").at("rows")) lengths.push_back(row.at("length"));
    return lengths;
}

TEST(Serve, HelloTellsTheCapabilities) {
    const Json done = answers({R"({"hello":{"protocol":1}})"}).at(0).at("done");
    EXPECT_EQ(done.at("protocol"), 1);
    EXPECT_EQ(done.at("name"), "plain");
    EXPECT_EQ(done.at("element"), "f32");
    EXPECT_EQ(done.at("memory"), true);
    EXPECT_THAT(done.at("features").get<std::vector<std::string>>(),
                testing::IsSupersetOf({"attention", "layer", "kv_export"}));
}

TEST(Serve, TheTranscriptOfItsPageIsAnswered) {
    const auto list =
        answers({open_request(1, 2), append_request(1, {{2}}), append_request(1, {{4}}), numbers,
                 append_request(1, {{4}}), numbers, R"({"truncate":{"session":1,"length":1}})",
                 R"({"fork":{"session":1,"row":0}})", append_request(1, {{6}, {8}}),
                 R"({"close":{"session":1}})"});
    EXPECT_EQ(list[0].dump(), R"({"done":{"session":1}})");
    EXPECT_EQ(list[1].dump(), R"({"done":{"output":[[[[2]]]]}})");
    EXPECT_EQ(list[2].dump(), R"({"done":{"output":[[[[3]]]]}})");
    EXPECT_THAT(lengths_of(list[3]), testing::ElementsAre(2));
    EXPECT_THAT(list[4].at("refused"), HasSubstr("beyond the capacity"));
    EXPECT_EQ(list[5], list[3]);
    for (const std::size_t command : {6, 7, 9}) EXPECT_EQ(list[command].dump(), R"({"done":{}})");
    EXPECT_EQ(list[8].dump(), R"({"done":{"output":[[[[4]]],[[[5]]]]}})");
}

TEST(Serve, NumbersAreThoseThatTheSubjectHas) {
    Tamper tamper;
    tamper.numbers = [](Session&, std::span<RowNumbers> rows) {
        rows[0].length = 3;
        rows[1].next_id = 0;
        return Status::done();
    };
    EXPECT_EQ(answers(tamper, {open_request(2, 4), numbers})[1].dump(),
              R"({"done":{"rows":[{"length":3},{"next_id":0}]}})");
}

TEST(Serve, SessionsHaveNumbersAndAreApart) {
    const auto list = answers({open_request(1, 4), open_request(1, 4), append_request(2, {{5}}),
                               R"({"close":{"session":1}})", R"({"numbers":{"session":2}})",
                               numbers, append_request(1, {{5}})});
    EXPECT_EQ(list[1].dump(), R"({"done":{"session":2}})");
    EXPECT_THAT(lengths_of(list[4]), testing::ElementsAre(1));
    for (const std::size_t closed : {5, 6}) {
        EXPECT_THAT(list[closed].at("refused"), HasSubstr(".session: found 1, expected an open "
                                                          "session"));
    }
}

TEST(Serve, WeightsAreAnsweredWhereTheyAreWanted) {
    Json body = append_body(1, {{2, 4}});
    body["want_weights"] = true;
    body["views"]["weights"] = {
        {"element", "f32"}, {"shape", {1, 1, 2, 2}}, {"stride", {4, 4, 2, 1}}, {"offset", 0}};
    const auto list =
        answers({open_request(1, 2), Json{{"append", body}}.dump(), append_request(1, {{}})});
    EXPECT_EQ(list[1].at("done").at("weights").dump(), "[[[[1,0],[0.5,0.5]]]]");
    EXPECT_FALSE(list[2].at("done").contains("weights"));
}

TEST(Serve, LogSumExpsAreAnsweredWhereTheyAreWanted) {
    Json body = append_body(1, {{2, 4}});
    body["want_log_sum_exp"] = true;
    body["views"]["log_sum_exp"] = {
        {"element", "f32"}, {"shape", {1, 2, 1}}, {"stride", {2, 1, 1}}, {"offset", 0}};
    const auto list =
        answers({open_request(1, 2), Json{{"append", body}}.dump(), append_request(1, {{}})});
    const Json& shown = list[1].at("done").at("log_sum_exp").at(0);
    EXPECT_EQ(shown.at(0).at(0).get<float>(), 0);
    EXPECT_EQ(shown.at(1).at(0).get<float>(), std::log(2.0F));
    EXPECT_FALSE(list[2].at("done").contains("log_sum_exp"));
}

TEST(Serve, AResetIsOfOneRowOrOfAll) {
    const std::string append = append_request(1, {{1, 2}, {3, 4}});
    const auto list = answers({open_request(2, 4), append, R"({"reset":{"session":1,"row":1}})",
                               numbers, R"({"reset":{"session":1}})", numbers, append});
    EXPECT_EQ(list[2].dump(), R"({"done":{}})");
    EXPECT_THAT(lengths_of(list[3]), testing::ElementsAre(2, 0));
    EXPECT_EQ(list[4].dump(), R"({"done":{}})");
    EXPECT_THAT(lengths_of(list[5]), testing::ElementsAre(0, 0));
    EXPECT_EQ(list[6], list[1]);
}

TEST(Serve, AnExportHasTheLengthThatIsAskedFor) {
    const auto list = answers({open_request(2, 4), append_request(1, {{5, 6}, {7, 8}}),
                               R"({"export_kv":{"session":1,"row":1,"length":2}})",
                               R"({"export_kv":{"session":1,"row":1}})",
                               R"({"export_kv":{"session":1,"row":1,"length":5}})",
                               R"({"export_kv":{"session":1,"row":2,"length":2}})",
                               R"({"export_kv":{"session":1,"row":1,"length":1}})",
                               R"({"export_kv":{"session":1,"row":1,"length":3}})"});
    EXPECT_EQ(list[2].dump(), R"({"done":{"key":[[[7],[8]]],"value":[[[7],[8]]]}})");
    EXPECT_THAT(list[3].at("refused"), HasSubstr("the member \"length\""));
    EXPECT_THAT(list[4].at("refused"),
                HasSubstr(".length: found 5, expected an integer from 0 to 4"));
    for (const std::size_t other : {6, 7}) {
        EXPECT_THAT(list[other].at("refused"), HasSubstr(", expected 2, the slots of the row"));
    }
    EXPECT_THAT(list[5].at("refused"), HasSubstr(".row: found 2, expected an integer from 0 to 1"));
}

TEST(Serve, AnExportAfterAResetIsOfTheRowAsItIsThen) {
    const auto list = answers({open_request(2, 4), append_request(1, {{5, 6}, {7, 8}}),
                               R"({"reset":{"session":1,"row":1}})",
                               R"({"export_kv":{"session":1,"row":1,"length":2}})",
                               R"({"export_kv":{"session":1,"row":1,"length":0}})",
                               R"({"export_kv":{"session":1,"row":0,"length":2}})"});
    EXPECT_THAT(list[3].at("refused"), HasSubstr("expected 0, the slots of the row"));
    EXPECT_EQ(list[4].dump(), R"({"done":{"key":[[]],"value":[[]]}})");
    EXPECT_EQ(list[5].dump(), R"({"done":{"key":[[[5],[6]]],"value":[[[5],[6]]]}})");
}

TEST(Serve, AnExportOfAnEmptyRowIsEmpty) {
    EXPECT_EQ(answers({open_request(1, 4), R"({"export_kv":{"session":1,"row":0,"length":0}})"})[1]
                  .dump(),
              R"({"done":{"key":[[]],"value":[[]]}})");
}

TEST(Serve, PoisonIsTakenAndChangesNoAnswer) {
    const auto list =
        answers({open_request(1, 4), append_request(1, {{2}}),
                 R"({"poison_unused":{"session":1,"pattern":"nan"}})", append_request(1, {{4}})});
    EXPECT_EQ(list[2].dump(), R"({"done":{}})");
    EXPECT_EQ(list[3].dump(), R"({"done":{"output":[[[[3]]]]}})");
}

/// An append with one member replaced; an empty text removes it.
std::string changed(const std::string& pointer, const std::string& value) {
    Json body = append_body(1, {{2, 4}});
    const Json::json_pointer at(pointer);
    if (value.empty())
        body.at(at.parent_pointer()).erase(at.back());
    else
        body[at] = Json::parse(value);
    Json request;
    request["append"] = std::move(body);
    return request.dump();
}

TEST(Serve, WhatIsMalformedIsRefusedAndNothingHasHappened) {
    const std::vector<std::pair<std::string, std::string>> table = {
        {"hello", "request: found text that stops being JSON"},
        {"", "request: found text that stops being JSON"},
        {"[]", "request: found an array of 0, expected an object"},
        {"{}",
         "request: found an object with 0 members, expected one of hello, open, load, append, "
         "ask, admits, numbers, export_kv, poison_unused, save, publish, reuse, "
         "weaken_prefix_hash, close, reset, "
         "truncate, reorder, fork, finish, evict, "
         "shift"},
        {R"({"fly":{}})", "request: found an object with 1 members, expected one of hello, "},
        {R"({"append":1})", "request.append: found 1, expected an object"},
        {R"({"append":{}})",
         "request.append: found an object with 0 members, expected an object "
         "with the member \"session\""},
        {R"({"numbers":{"session":9}})", "request.numbers.session: found 9, expected an open"},
        {R"({"numbers":{"session":"1"}})", "request.numbers.session: found \"1\", expected an"},
        {R"({"open":{"spec":{}}})", "request.open.spec"},
        {R"({"reset":{"session":1,"row":1}})", "no such row"},
        {R"({"reset":{"session":1,"rows":0}})", "request.reset: found the member \"rows\""},
        {R"({"poison_unused":{"session":1}})", "request.poison_unused: found an object with 1 "},
        {changed("/counts", ""), "request.append: found an object with"},
        {changed("/counts", "[0.5]"), "request.append.counts[0]: found 0.5, expected an integer"},
        {changed("/counts", "[-1]"), "counts: outside the given tokens"},
        {changed("/counts", "[2,2]"), "counts: not one per row"},
        {changed("/query_offset", "[1]"), "query_offset: not the next slot of the row"},
        {changed("/query_offset", "[0,0]"), "query_offset: not one per row"},
        {changed("/real", "[[true]]"), "validity: not one per token"},
        {changed("/real", "[[true,1]]"), "request.append.real[0][1]: found 1, expected true or"},
        {changed("/q", "[[[[0]]]]"), "request.append.q[0]: found an array of 1, expected an array"},
        {changed("/k/0/1/0/0", "\"two\""), "request.append.k[0][1][0][0]: found \"two\", expected"},
        {changed("/views", ""), "request.append: found an object with"},
        {changed("/views/v", ""), "request.append.views: found an object with 3 members, expected"},
        {changed("/views/q/element", "\"f64\""), "inputs: wrong shape or element type"},
        {changed("/views/output/shape/1", "3"), "output: wrong shape or element type"},
        {changed("/views/output/offset", "99"), "request.append.views.output.offset: found 99"},
    };
    std::vector<std::string> requests = {open_request(1, 2)};
    for (const auto& [request, refusal] : table) requests.push_back(request);
    requests.push_back(numbers);
    requests.push_back(append_request(1, {{2, 4}}));
    const auto list = answers(requests);
    ASSERT_EQ(list.size(), requests.size());
    for (std::size_t n = 0; n < table.size(); ++n) {
        ASSERT_TRUE(list[n + 1].contains("refused")) << table[n].first << list[n + 1];
        EXPECT_THAT(list[n + 1].at("refused").get<std::string>(), StartsWith(table[n].second))
            << table[n].first;
    }
    EXPECT_THAT(lengths_of(list[list.size() - 2]), testing::ElementsAre(0));
    EXPECT_EQ(list.back().dump(), R"({"done":{"output":[[[[2]],[[3]]]]}})");
}

TEST(Serve, ASpecThatTheSubjectRefusesOpensNothing) {
    Tamper tamper;
    tamper.open = [](const Spec&) { return Status::refused("no such model"); };
    const auto list = answers(tamper, {open_request(1, 2), numbers});
    EXPECT_EQ(list[0].dump(), R"({"refused":"no such model"})");
    EXPECT_TRUE(list[1].contains("refused"));
}

TEST(Serve, WhatASubjectDoesNotTakeIsRefused) {
    Tamper tamper;
    tamper.lifecycle = [](Session&, const Lifecycle&) { return Status::refused("never"); };
    tamper.export_kv = [](Session&, Index, const OutputView&, const OutputView&) {
        return Status::refused("it is mine");
    };
    const auto list = answers(tamper, {open_request(1, 2), R"({"reset":{"session":1}})",
                                       R"({"export_kv":{"session":1,"row":0,"length":0}})"});
    EXPECT_EQ(list[1].dump(), R"({"refused":"never"})");
    EXPECT_EQ(list[2].dump(), R"({"refused":"it is mine"})");
}

/// Does its work and then something else.
Tamper after(std::function<void(const AppendCall&)> deed) {
    Tamper tamper;
    tamper.append = [deed = std::move(deed)](Session& inner, const AppendCall& call) {
        const Status status = inner.append(call);
        deed(call);
        return status;
    };
    return tamper;
}

Json second_answer(const Tamper& tamper) {
    return answers(tamper, {open_request(1, 2), append_request(1, {{2}})})[1];
}

TEST(Serve, ThrowingAndPrintingAndClosingAreDeaths) {
    EXPECT_EQ(second_answer(after([](const AppendCall&) {
                  throw std::runtime_error("out of cheese");
              })).dump(),
              R"({"died":"it threw: out of cheese"})");
    EXPECT_THAT(second_answer(after([](const AppendCall&) { std::puts("hello"); })).at("died"),
                StartsWith("it printed \"hello\" to standard output"));
    EXPECT_EQ(second_answer(after([](const AppendCall&) { close(STDOUT_FILENO); })).at("died"),
              "it closed its standard output");
}

TEST(Serve, AnElementThatWasNotWrittenIsNull) {
    Tamper tamper;
    tamper.append = [](Session&, const AppendCall&) { return Status::done(); };
    EXPECT_EQ(second_answer(tamper).dump(), R"({"done":{"output":[[[[null]]]]}})");
}

TEST(Serve, AWriteToAnInputOrBesideAnOutputIsTold) {
    const auto fault = [](const Tamper& tamper) {
        return second_answer(tamper).at("done").at("memory_fault").get<std::string>();
    };
    EXPECT_EQ(fault(after([](const AppendCall& call) {
                  const_cast<float&>(call.key.at<float>(0, 0, 0, 0)) += 1;
              })),
              "append changed one of its inputs, or memory around it");
    // The array begins on a boundary, so the page that may not be touched lies before it.
    EXPECT_EQ(
        fault(after([](const AppendCall& call) { (&call.output.at<float>(0, 0, 0, 0))[1] = 1; })),
        "append wrote outside the elements of its outputs");
}

TEST(Serve, AWriteOfACallThatIsRefusedIsTold) {
    Tamper tamper;
    tamper.append = [](Session&, const AppendCall& call) {
        (&call.output.at<float>(0, 0, 0, 0))[1] = 1;
        return Status::refused("not today");
    };
    EXPECT_EQ(second_answer(tamper).dump(),
              R"({"refused":"not today","memory_fault":"append wrote outside the elements of its )"
              R"(outputs"})");
}

TEST(Serve, AWriteBesideAnExportIsTold) {
    for (const bool beside_the_key : {true, false}) {
        Tamper tamper;
        tamper.export_kv = [=](Session& inner, Index row, const OutputView& key,
                               const OutputView& value) {
            const OutputView& array = beside_the_key ? key : value;
            // An even length begins on a boundary; the page lies before it.
            (&array.at<float>(0, 1, 0))[1] = 1;
            return inner.export_kv(row, key, value);
        };
        const std::string request = R"({"export_kv":{"session":1,"row":0,"length":2}})";
        const auto list =
            answers(tamper, {open_request(1, 2), append_request(1, {{2, 4}}), request});
        EXPECT_EQ(list[2].at("done").at("memory_fault"),
                  "export_kv wrote outside the arrays it was given");
        EXPECT_EQ(list[2].at("done").at("value").dump(), "[[[2],[4]]]");
        EXPECT_FALSE(answers({open_request(1, 2), append_request(1, {{2, 4}}), request})[2]
                         .at("done")
                         .contains("memory_fault"));
    }
}

}  // namespace
}  // namespace kvcheck
