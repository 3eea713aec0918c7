// SPDX-License-Identifier: Apache-2.0
// The text form of the commands that bring no token: there and back, and what is refused.
#include "model/types/lifecycle_json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/model/refusal.hpp"

namespace kvcheck {
namespace {

using testing::ElementsAre;

Lifecycle read(const std::string& fields, Index rows,
               const std::vector<std::string_view>& more = {}, std::string_view name = "reset") {
    const Json json = Json::parse(fields);
    return lifecycle_from_json(name, {json, "a"}, rows, more);
}

TEST(LifecycleJson, EveryCommandHasItsName) {
    EXPECT_THAT(lifecycle_names(),
                ElementsAre("reset", "truncate", "reorder", "fork", "finish", "evict", "shift"));
    EXPECT_EQ(name_of(Lifecycle(Reset{})), "reset");
    EXPECT_EQ(lifecycle_names().size(), std::variant_size_v<Lifecycle>);
}

TEST(LifecycleJson, AResetIsWrittenWithItsRowOrWithout) {
    EXPECT_EQ(to_json(Lifecycle(Reset{})).dump(), "{}");
    EXPECT_EQ(to_json(Lifecycle(Reset{4})).dump(), R"({"row":4})");
    EXPECT_EQ(to_json(Lifecycle(Reset{0})).dump(), R"({"row":0})");
}

TEST(LifecycleJson, WhatIsWrittenReadsBackAsTheSame) {
    for (const Lifecycle& command :
         {Lifecycle(Reset{}), Lifecycle(Reset{0}), Lifecycle(Reset{4}),
          Lifecycle(Truncate{3, std::nullopt}), Lifecycle(Truncate{0, 4}),
          Lifecycle(Reorder{{4, 0, 0}}), Lifecycle(Fork{2}), Lifecycle(Finish{1}),
          Lifecycle(Evict{1, 2, 5}), Lifecycle(Shift{1, 2})}) {
        const std::string text = to_json(command).dump();
        EXPECT_EQ(read(text, 5, {}, name_of(command)), command) << text;
    }
}

TEST(LifecycleJson, ARowIsOneOfTheBatch) {
    EXPECT_EQ(read(R"({"row":2})", 3), Lifecycle(Reset{2}));
    const std::string refused = ", expected an integer from 0 to 2";
    for (const std::string row :
         {"3", "-1", "1.5", "\"0\"", "null", "true", "18446744073709551615"}) {
        EXPECT_EQ(refusal_of([&] { read("{\"row\":" + row + "}", 3); }),
                  "a.row: found " + row + refused);
    }
}

TEST(LifecycleJson, WhatIsMissingOrNoSlotIsRefused) {
    const auto refused = [](std::string_view name, const std::string& fields) {
        return refusal_of([&] { read(fields, 3, {}, name); });
    };
    EXPECT_EQ(refused("truncate", "{}"),
              "a: found an object with 0 members, expected an object with the member \"length\"");
    EXPECT_EQ(refused("truncate", R"({"length":-1})"),
              "a.length: found -1, expected an integer from 0 to 1048576");
    EXPECT_EQ(refused("reorder", R"({"sources":[0,3]})"),
              "a.sources[1]: found 3, expected an integer from 0 to 2");
    EXPECT_EQ(refused("evict", R"({"row":0,"begin":0})"),
              "a: found an object with 2 members, expected an object with the member \"end\"");
}

TEST(LifecycleJson, WithoutABatchRowsAndSlotsMayBeAny) {
    const Json json = Json::parse(R"({"row":-7,"begin":-1,"end":4294967296})");
    EXPECT_EQ(lifecycle_from_json("evict", {json, "a"}, std::nullopt),
              Lifecycle(Evict{-7, -1, Index{1} << 32}));
}

TEST(LifecycleJson, MembersOfNobodyAreRefusedAndThoseOfOthersArePassedOver) {
    EXPECT_EQ(refusal_of([] { read(R"({"rows":1})", 3); }),
              "a: found the member \"rows\", expected only the members row");
    EXPECT_EQ(read(R"({"session":1,"row":0})", 3, {"session"}), Lifecycle(Reset{0}));
    EXPECT_EQ(refusal_of([] { read(R"({"session":1,"why":0})", 3, {"session"}); }),
              "a: found the member \"why\", expected only the members row session");
    EXPECT_EQ(refusal_of([] { read("[]", 3); }), "a: found an array of 0, expected an object");
}

TEST(LifecycleJsonDeathTest, AnUnknownNameIsOurOwnBug) {
    EXPECT_DEATH(read("{}", 1, {}, "forget"), "kvcheck has a bug");
}

}  // namespace
}  // namespace kvcheck
