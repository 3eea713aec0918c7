// SPDX-License-Identifier: Apache-2.0
// Save and load over the protocol: a state comes out as text and goes in as text, a session that
// was loaded is one like any other, and what is no state is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "impl/catalogue.hpp"
#include "impl/protocol/base64.hpp"
#include "tests/impl/protocol/served.hpp"

namespace kvcheck {
namespace {

using testing::HasSubstr;

constexpr const char* save_request = R"({"save":{"session":1}})";

Json load_body(Index rows, const std::string& state) {
    Json body = Json::parse(open_request(rows, 4))["open"];
    body["state"] = state;
    return body;
}

std::string load_request(Index rows, const std::string& state) {
    return Json{{"load", load_body(rows, state)}}.dump();
}

std::unique_ptr<Subject> plain() { return built_in_subjects()[0].make("plain"); }

/// Of two rows of two slots.
std::string some_state() {
    return served(*plain(),
                  {open_request(2, 4), append_request(1, {{5, 6}, {7, 8}}), save_request})[2]
        .at("done")
        .at("state");
}

TEST(ServedStates, AreLoadedIntoASessionThatGoesOn) {
    const auto list =
        served(*plain(), {load_request(2, some_state()), append_request(1, {{8}, {9}}),
                          R"({"export_kv":{"session":1,"row":1,"length":3}})",
                          R"({"fork":{"session":1,"row":0}})", R"({"numbers":{"session":1}})",
                          R"({"close":{"session":1}})"});
    EXPECT_EQ(list[0].dump(), R"({"done":{"session":1}})");
    // Keys are 5, 6 and 8, but q is zero.
    EXPECT_NEAR(list[1].at("done").at("output")[0][0][0][0].get<double>(), (5 + 6 + 8) / 3.0, 1e-6);
    EXPECT_EQ(list[2].at("done").at("value").dump(), "[[[7],[8],[9]]]");
    EXPECT_EQ(list[4].at("done").at("rows")[2].at("length"), 3);
    EXPECT_EQ(list[5].dump(), R"({"done":{}})");
}

TEST(ServedStates, StandBesideTheSessionThatSavedThem) {
    const auto list =
        served(*plain(), {open_request(2, 4), load_request(2, some_state()),
                          R"({"numbers":{"session":1}})", R"({"numbers":{"session":2}})"});
    EXPECT_EQ(list[2].at("done").at("rows")[0].at("length"), 0);
    EXPECT_EQ(list[3].at("done").at("rows")[0].at("length"), 2);
}

TEST(ServedStates, OfAnotherSpecOrDamagedAreRefused) {
    std::string damaged = some_state();
    damaged[damaged.size() / 2] = damaged[damaged.size() / 2] == 'A' ? 'B' : 'A';
    const auto list = served(
        *plain(), {load_request(3, some_state()), load_request(2, damaged), load_request(2, ""),
                   load_request(2, "not base64"), R"({"numbers":{"session":1}})"});
    EXPECT_THAT(list[0].at("refused"), HasSubstr("another spec"));
    EXPECT_THAT(list[1].at("refused"), HasSubstr("damaged"));
    EXPECT_THAT(list[2].at("refused"), HasSubstr("cut off"));
    EXPECT_THAT(list[3].at("refused"), HasSubstr("load.state"));
    EXPECT_THAT(list[4].at("refused"), HasSubstr("an open session"));
}

}  // namespace
}  // namespace kvcheck
