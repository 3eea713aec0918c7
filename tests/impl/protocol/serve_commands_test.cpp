// SPDX-License-Identifier: Apache-2.0
// The serving end counts the slots of every row through the commands of clause 10: an export is of
// the length that the row has then, and a request with the length before is refused. What commands
// do to outputs is judged by the properties.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "impl/catalogue.hpp"
#include "tests/impl/protocol/served.hpp"
#include "tests/properties/tampered.hpp"

namespace kvcheck {
namespace {

using testing::HasSubstr;

std::string export_of(Index row, Index length) {
    return Json{{"export_kv", {{"session", 1}, {"row", row}, {"length", length}}}}.dump();
}

/// Two rows of two slots, whose values are 5, 6 and 7, 8, and then this command.
std::vector<std::string> after(const std::string& command) {
    return {open_request(2, 4), append_request(1, {{5, 6}, {7, 8}}), command};
}

/// Rows and, of each, the values that an export shows.
using Rows = std::vector<std::vector<int>>;

/// The command is carried out, and leaves `rows`: every row is shown at its length, refused at
/// every other one, and there is no row behind the last.
void expect_leaves(const std::string& command, const Rows& rows) {
    SCOPED_TRACE(command);
    constexpr Index capacity = 4;
    std::vector<std::string> requests = after(command);
    for (Index row = 0; row <= Index(rows.size()); ++row) {
        for (Index length = 0; length <= capacity; ++length)
            requests.push_back(export_of(row, length));
    }
    const auto list = served(*built_in_subjects()[0].make("plain"), requests);
    EXPECT_EQ(list[2].dump(), R"({"done":{}})");
    std::size_t n = 3;
    for (const std::vector<int>& row : rows) {
        Json values = Json::array();
        for (const int value : row) values.push_back(Json::array({value}));
        for (Index length = 0; length <= capacity; ++length, ++n) {
            if (length == Index(row.size())) {
                EXPECT_EQ(list[n].at("done").at("value"), Json::array({values})) << requests[n];
            } else {
                ASSERT_TRUE(list[n].contains("refused")) << requests[n] << list[n];
                EXPECT_THAT(
                    list[n].at("refused"),
                    HasSubstr("expected " + std::to_string(row.size()) + ", the slots of the row"));
            }
        }
    }
    for (; n < list.size(); ++n) {
        EXPECT_THAT(list[n].at("refused"), HasSubstr(".row: found " + std::to_string(rows.size())));
    }
}

TEST(ServedCommands, ATruncateShortensOneRowOrAll) {
    expect_leaves(R"({"truncate":{"session":1,"length":1,"row":1}})", {{5, 6}, {7}});
    expect_leaves(R"({"truncate":{"session":1,"length":1}})", {{5}, {7}});
}

TEST(ServedCommands, AReorderTakesLengthsAlongAndLeavesAsManyRowsAsSources) {
    expect_leaves(R"({"reorder":{"session":1,"sources":[1,0]}})", {{7, 8}, {5, 6}});
    expect_leaves(R"({"reorder":{"session":1,"sources":[1]}})", {{7, 8}});
    expect_leaves(R"({"reorder":{"session":1,"sources":[0,1,0]}})", {{5, 6}, {7, 8}, {5, 6}});
}

TEST(ServedCommands, AForkAddsARowAsLongAsItsSource) {
    expect_leaves(R"({"fork":{"session":1,"row":1}})", {{5, 6}, {7, 8}, {7, 8}});
}

TEST(ServedCommands, AFinishAndAnEvictLeaveLengthsAsTheyAre) {
    expect_leaves(R"({"finish":{"session":1,"row":1}})", {{5, 6}, {7, 8}});
    expect_leaves(R"({"evict":{"session":1,"row":1,"begin":1,"end":2}})", {{5, 6}, {7, 8}});
}

TEST(ServedCommands, ThatFollowEachOtherAreFollowed) {
    std::vector<std::string> requests = after(R"({"truncate":{"session":1,"length":1,"row":0}})");
    requests.insert(requests.end(), {R"({"reorder":{"session":1,"sources":[1,0]}})",
                                     R"({"fork":{"session":1,"row":1}})", export_of(0, 2),
                                     export_of(1, 1), export_of(2, 1), export_of(2, 2)});
    const auto list = served(*built_in_subjects()[0].make("plain"), requests);
    EXPECT_EQ(list[5].at("done").at("value").dump(), "[[[7],[8]]]");
    EXPECT_EQ(list[6].at("done").at("value").dump(), "[[[5]]]");
    EXPECT_EQ(list[7].at("done").at("value").dump(), "[[[5]]]");
    EXPECT_THAT(list[8].at("refused"), HasSubstr("found 2, expected 1, the slots of the row"));
}

TEST(ServedCommands, ThatAreRefusedChangeNoLength) {
    for (const std::string command :
         {R"({"truncate":{"session":1,"length":3,"row":0}})",
          R"({"truncate":{"session":1,"length":1,"row":2}})",
          R"({"reorder":{"session":1,"sources":[0,2]}})",
          R"({"reorder":{"session":1,"sources":[]}})", R"({"fork":{"session":1,"row":2}})",
          R"({"finish":{"session":1,"row":-1}})",
          R"({"evict":{"session":1,"row":0,"begin":1,"end":3}})"}) {
        SCOPED_TRACE(command);
        std::vector<std::string> requests = after(command);
        requests.insert(requests.end(), {export_of(0, 2), export_of(1, 2), export_of(2, 2)});
        const auto list = served(*built_in_subjects()[0].make("plain"), requests);
        EXPECT_TRUE(list[2].contains("refused")) << list[2];
        EXPECT_EQ(list[3].at("done").at("value").dump(), "[[[5],[6]]]");
        EXPECT_EQ(list[4].at("done").at("value").dump(), "[[[7],[8]]]");
        EXPECT_THAT(list[5].at("refused"), HasSubstr("expected an integer from 0 to 1"));
    }
}

TEST(ServedCommands, ThatShouldHaveBeenRefusedLeaveNoLengthToCompareWith) {
    for (const std::string length : {"3", "-1"}) {
        Tamper tamper;  // says that it did what it cannot have done
        tamper.lifecycle = [](Session&, const Lifecycle&) { return Status::done(); };
        std::vector<std::string> requests =
            after(R"({"truncate":{"session":1,"row":0,"length":)" + length + "}}");
        requests.insert(requests.end(), {export_of(0, 2), export_of(1, 1)});
        const auto list = served(*tampered(std::move(tamper)), requests);
        EXPECT_EQ(list[2].dump(), R"({"done":{}})");
        EXPECT_TRUE(list[3].contains("done")) << list[3];
        EXPECT_THAT(list[4].at("refused"), HasSubstr("expected 2, the slots of the row"));
    }
}

}  // namespace
}  // namespace kvcheck
