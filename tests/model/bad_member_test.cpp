// SPDX-License-Identifier: Apache-2.0
// Case files in which a member is missing or nobody knows it. Members of the wrong type are in
// bad_type_test.cpp, numbers in bad_number_test.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "model/case_file.hpp"
#include "model/types/json.hpp"
#include "tests/model/documents.hpp"
#include "tests/model/edits.hpp"
#include "tests/model/refusal.hpp"

namespace kvcheck {
namespace {

TEST(BadMember, WhatIsMissingIsNamed) {
    expect_refusals({
        {attention, "/version", "",
         ": found an object with 5 members, expected an object with the "
         "member \"version\""},
        {attention, "/spec", "",
         ": found an object with 5 members, expected an object with the "
         "member \"spec\""},
        {attention, "/parameters", "",
         ": found an object with 5 members, expected an object with "
         "the member \"parameters\""},
        {attention, "/program", "",
         ": found an object with 5 members, expected an object with the "
         "member \"program\""},
        {attention, "/finding/seed", "",
         ".finding: found an object with 4 members, expected an "
         "object with the member \"seed\""},
        {layer, "/parameters/key", "",
         ".parameters: found an object with 4 members, expected an "
         "object with the member \"key\""},
        {layer, "/parameters/key/weight", "",
         ".parameters.key: found an object with 0 members, "
         "expected an object with the member \"weight\""},
        {layer, "/parameters/position_table", "",
         ".parameters: found an object with 4 members, expected an object with the member "
         "\"position_table\""},
        {attention, "/program/0/append/rows", "",
         ".program[0].append: found an object with 1 "
         "members, expected an object with the member "
         "\"rows\""},
        {layer, "/program/0/append/rows/0/1/real", "",
         ".program[0].append.rows[0][1]: found an object with 1 members, expected an object with "
         "the member \"real\""},
        {attention, "/program/0/append/rows/0/0/k", "",
         ".program[0].append.rows[0][0]: found an object with 3 members, expected an object with "
         "the member \"k\""},
    });
}

TEST(BadMember, EveryMemberOfTheSpecIsRequiredButTheScale) {
    for (const Example example : {attention, layer}) {
        const Json json = Json::parse(documented_case_files().at(example));
        for (const auto& [name, value] : json["spec"].items()) {
            if (name == "scale") continue;
            const std::string refusal = refusal_of_text(edited(example, "/spec/" + name, ""));
            EXPECT_TRUE(reads_well(refusal, "a.json.spec: found an object with ")) << refusal;
            EXPECT_THAT(refusal, testing::EndsWith("with the member \"" + name + "\""));
        }
    }
    EXPECT_NO_THROW(case_file_from_text(edited(layer, "/spec/scale", ""), "a.json"));
}

TEST(BadMember, WhatIsUnknownIsNamed) {
    expect_refusals({
        {attention, "/comment", "1",
         ": found the member \"comment\", expected only the members "
         "format version finding spec parameters program"},
        {attention, "/finding/date", "1",
         ".finding: found the member \"date\", expected only the "
         "members property subject kind what seed"},
        {attention, "/parameters/query", "{}",
         ".parameters: found the member \"query\", expected only the members "
         "slopes sinks rotary_table"},
        {layer, "/parameters/queri", "{}",
         ".parameters: found the member \"queri\", expected only the members query key value "
         "output position_table slopes sinks rotary_table"},
        {attention, "/parameters/rotary_table", "[]",
         ".parameters: found an object with 1 members, expected no rotary_table, as the spec says"},
        {layer, "/parameters/key/Bias", "[]",
         ".parameters.key: found the member \"Bias\", expected only the members weight bias"},
        {layer, "/parameters/key/bias", "[0]",
         ".parameters.key: found an object with 2 members, expected no bias, as the spec says"},
        {attention, "/spec/model_width", "1",
         ".spec: found an object with 12 members, expected no model_width at attention level"},
        {attention, "/spec/biases", "false",
         ".spec: found an object with 12 members, expected no biases at attention level"},
        {attention, "/program/0/fly", "{}",
         ".program[0]: found the member \"fly\", expected only the members append reset truncate "
         "reorder fork finish evict shift reload publish reuse"},
        {attention, "/program/0/reset", "{}",
         ".program[0]: found an object with 2 members, expected one command of append, reset, "
         "truncate, reorder, fork, finish, evict, shift, reload, publish, reuse"},
        {attention, "/program/0", "{}",
         ".program[0]: found an object with 0 members, expected one command of append, reset, "
         "truncate, reorder, fork, finish, evict, shift, reload, publish, reuse"},
        {attention, "/program/0", "{\"reset\": {\"rows\": 0}}",
         ".program[0].reset: found the member \"rows\", expected only the members row"},
        {attention, "/program/0/append/offset", "[0]",
         ".program[0].append: found the member \"offset\", expected only the members rows "
         "query_offset"},
        {attention, "/program/0/append/rows/0/0/x", "[1]",
         ".program[0].append.rows[0][0]: found the member \"x\", expected only the members real q "
         "k v back"},
        {layer, "/program/0/append/rows/0/0/q", "[1]",
         ".program[0].append.rows[0][0]: found the member \"q\", expected only the members real "
         "x back"},
    });
    const std::string refusal = refusal_of_text(edited(attention, "/spec/row", "1"));
    EXPECT_TRUE(reads_well(refusal,
                           "a.json.spec: found the member \"row\", expected only the "
                           "members level rows "))
        << refusal;
}

}  // namespace
}  // namespace kvcheck
