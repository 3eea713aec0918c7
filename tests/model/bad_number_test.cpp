// SPDX-License-Identifier: Apache-2.0
// Case files with a number that is too large, too small, of the wrong kind or in the wrong place:
// refused in words, before room is made for what it asks for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/case_file.hpp"
#include "model/types/json.hpp"
#include "tests/model/allocated.hpp"
#include "tests/model/documents.hpp"
#include "tests/model/edits.hpp"
#include "tests/model/refusal.hpp"

namespace kvcheck {
namespace {

const std::string no_float =
    ", expected a float: a number of at most 3.4028235e38 in size, or one of \"nan\", \"inf\", "
    "\"-inf\", \"-0\"";

const std::string no_finite_float =
    ", expected a finite float: a number of at most 3.4028235e38 in size, or \"-0\"";

TEST(BadNumber, ExtentsAreIntegersWithinLimits) {
    for (const std::string name :
         {"rows", "query_heads", "kv_heads", "key_width", "value_width", "capacity"}) {
        const std::string most = name == "rows" ? "4096" : "1048576";
        for (const std::string value :
             {"-1", "1048577", "1099511627776", "9223372036854775808", "18446744073709551615",
              "-9223372036854775808", "1.0", "2.5", "1e3", "\"1\"", "\"nan\"", "true", "null"}) {
            // The JSON library writes floats in its own way.
            const std::string shown = value == "1e3" ? "1000.0" : value;
            EXPECT_EQ(refusal_of_text(edited(attention, "/spec/" + name, value)),
                      "a.json.spec." + name + ": found " + shown +
                          ", expected an integer from 1 to " + most);
        }
    }
    expect_refusals({
        {attention, "/spec/rows", "0", ".spec.rows: found 0, expected an integer from 1 to 4096"},
        {layer, "/spec/model_width", "1099511627776",
         ".spec.model_width: found 1099511627776, expected an integer from 1 to 1048576"},
        {layer, "/spec/query_heads", "1048576",
         ".parameters.query.weight: found an array of 1, expected an array of 1048576, as the spec "
         "says"},
    });
}

TEST(BadNumber, ShapesAreAsTheSpecSays) {
    expect_refusals({
        {attention, "/spec/rows", "4096",
         ".program[0].append.rows: found an array of 1, expected an array of 4096, the number "
         "of rows"},
        {attention, "/program/1/append/rows", "[[], []]",
         ".program[1].append.rows: found an array of 2, expected an array of 1, the number of "
         "rows"},
        {attention, "/spec/key_width", "1048576",
         ".program[0].append.rows[0][0].q[0]: found an array of 1, expected an array of 1048576, "
         "as the spec says"},
        {attention, "/program/0/append/rows/0/0/v", "[]",
         ".program[0].append.rows[0][0].v: found an array of 0, expected an array of 1, as the "
         "spec says"},
        {layer, "/spec/model_width", "1048576",
         ".parameters.query.weight[0]: found an array of 2, expected an array of 1048576, as the "
         "spec says"},
        {layer, "/parameters/output/weight/1", "[-1, 0]",
         ".parameters.output.weight[1]: found an array of 2, expected an array of 1, as the spec "
         "says"},
        {layer, "/parameters/position_table/0", "[0]",
         ".parameters.position_table[0]: found an array of 1, expected an array of 2, as the spec "
         "says"},
        {layer, "/program/0/append/rows/0/1/x", "[1]",
         ".program[0].append.rows[0][1].x: found an array of 1, expected an array of 2, as the "
         "spec says"},
    });
}

TEST(BadNumber, FloatsFitIntoAFloatOrAreMeant) {
    const std::string place = "/program/0/append/rows/0/0/q/0/0";
    for (const std::string value : {"3.4028236e+38", "-1e+39", "1e+308", "\"NaN\"", "\"0.5\"",
                                    "\"+inf\"", "\"\"", "true", "null"}) {
        EXPECT_EQ(refusal_of_text(edited(attention, place, value)),
                  "a.json.program[0].append.rows[0][0].q[0][0]: found " + value + no_float);
    }
    for (const std::string value : {"3.4028235e+38", "3.40282356e38", "1e-50", "0.3", "-0.0",
                                    "18446744073709551615", "123456789012345678901234567890"}) {
        EXPECT_NO_THROW(case_file_from_text(edited(attention, place, value), "a.json")) << value;
    }
}

TEST(BadNumber, ANumberThatNoDoubleHoldsIsRefused) {
    std::string text = documented_case_files().at(attention);
    const std::string one = "\"q\":[[1]]";
    for (const std::string huge : {"1e400", "-1e400"}) {
        std::string edit = text;
        edit.replace(edit.find(one), one.size(), "\"q\":[[" + huge + "]]");
        const std::string refusal = refusal_of_text(edit);
        EXPECT_TRUE(reads_well(refusal, "a.json: found ")) << refusal;
        EXPECT_THAT(refusal, testing::HasSubstr(huge));
    }
}

TEST(BadNumber, WhatIsNotFiniteIsForPaddingOnly) {
    expect_refusals({
        {attention, "/spec/scale", "\"inf\"", ".spec.scale: found \"inf\"" + no_finite_float},
        {attention, "/spec/scale", "\"nan\"", ".spec.scale: found \"nan\"" + no_finite_float},
        {attention, "/spec/scale", "1e39", ".spec.scale: found 1e+39" + no_finite_float},
        {attention, "/program/1/append/rows/0/0/v/0/0", "\"-inf\"",
         ".program[1].append.rows[0][0]: found -inf, expected finite numbers in a real token"},
        {layer, "/program/0/append/rows/0/1/x/1", "\"nan\"",
         ".program[0].append.rows[0][1]: found nan, expected finite numbers in a real token"},
        {layer, "/parameters/value/weight/0/0", "\"nan\"",
         ".parameters.value.weight[0][0]: found \"nan\"" + no_finite_float},
        {layer, "/parameters/position_table/1/0", "\"inf\"",
         ".parameters.position_table[1][0]: found \"inf\"" + no_finite_float},
        {layer, "/spec/padded_query", "\"computed\"",
         ".program[0].append.rows[0][0]: found nan, expected a finite query in a padded token "
         "whose "
         "output "
         "is computed"},
    });
    EXPECT_NO_THROW(case_file_from_text(
        edited(layer, "/program/0/append/rows/0/0/x", "[\"inf\", \"-inf\"]"), "a.json"));
}

TEST(BadNumber, OffsetsAreIntegersAndTrue) {
    const std::string place = ".program[1].append.query_offset[0]: found ";
    const std::string integer = ", expected an integer from 0 to 1048576";
    const std::string pointer = "/program/1/append/query_offset";
    expect_refusals({
        {attention, pointer, "[-1]", place + "-1" + integer},
        {attention, pointer, "[1048577]", place + "1048577" + integer},
        {attention, pointer, "[1.0]", place + "1.0" + integer},
        {attention, pointer, "[18446744073709551615]", place + "18446744073709551615" + integer},
        {attention, pointer, "[]",
         ".program[1].append: found the number of query offsets (clause 6), expected an admissible "
         "append"},
        {attention, pointer, "[1, 0]",
         ".program[1].append: found the number of query offsets (clause 6), expected an admissible "
         "append"},
        {attention, pointer, "[2]",
         ".program[1].append: found query_offset of row 0: 2, the next slot is 1 (clause 6), "
         "expected an "
         "admissible append"},
    });
}

TEST(BadNumber, TokensBeyondCapacityOrTableAreRefused) {
    expect_refusals({
        {attention, "/spec/capacity", "1",
         ".program[1].append: found row 0, slot 1: beyond the capacity (clause 7), expected an "
         "admissible "
         "append"},
        {layer, "/parameters/position_table", "[]",
         ".program[0].append: found row 0, slot 0: its id lies beyond the position table (clause "
         "5), "
         "expected an admissible append"},
        {layer, "/spec/query_heads", "2",
         ".parameters.query.weight: found an array of 1, expected an array of 2, as the spec says"},
        {layer, "/spec/kv_heads", "2",
         ".spec.query_heads: found 1, expected a multiple of kv_heads, which is 2"},
    });
}

TEST(BadNumber, HugeExtentsCostNothing) {
    constexpr std::size_t little = std::size_t{1} << 20U;
    const std::vector<Edit> table = {
        {attention, "/spec/rows", "1099511627776", ""},
        {attention, "/spec/rows", "1048576", ""},
        {attention, "/spec/capacity", "1099511627776", ""},
        {attention, "/spec/value_width", "1048576", ""},
        {attention, "/spec/query_heads", "1048576", ""},
        {layer, "/spec/query_heads", "1048576", ""},
        {layer, "/spec/model_width", "1048576", ""},
    };
    for (const Edit& edit : table) {
        const std::string text = edited(edit.example, edit.pointer, edit.value);
        const std::size_t before = bytes_allocated();
        const std::string refusal = refusal_of_text(text);
        EXPECT_LT(bytes_allocated() - before, little) << refusal;
        EXPECT_TRUE(reads_well(refusal, "a.json")) << refusal;
    }
}

}  // namespace
}  // namespace kvcheck
