// SPDX-License-Identifier: Apache-2.0
// A case's size, and what it takes to be a valid case.
#include "model/case.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/model/build.hpp"
#include "tests/model/generated.hpp"
#include "tests/model/refusal.hpp"

namespace kvcheck {
namespace {

TEST(Case, SizeCountsTheLongestRowOfEverySegment) {
    Case test_case = tiny_case(
        2, {tiny_append({"R", "RP"}), tiny_append({"R", ""}), Reset{}, tiny_append({"RRR", "RR"})});
    test_case.spec.query_heads = 3;
    EXPECT_EQ(size_of(test_case), (CaseSize{2, 3, 5, 4}));
    EXPECT_EQ(size_of(tiny_case(1, {})), (CaseSize{1, 1, 0, 0}));
}

TEST(Case, CountMaxIsTheLargestCountOfACall) {
    EXPECT_EQ(count_max(tiny_append({"R", "RRR", ""})), 3);
    EXPECT_EQ(count_max(tiny_append({})), 0);
}

TEST(Case, OfNarrowStorageHasNoKeyOrValueThatOverflows) {
    // q, k and v of one token; a query is not stored, and what is invisible may hold anything.
    const auto with = [](Storage storage, const char* row, std::vector<float> input) {
        Case test_case = tiny_case(1, {tiny_append({row})});
        test_case.spec.storage = storage;
        std::get<Append>(test_case.program[0]).rows[0][0].input = std::move(input);
        return test_case;
    };
    const auto refusal = [&](const Case& test_case) {
        return refusal_of([&] { validate(test_case); });
    };
    EXPECT_EQ(refusal(with(Storage::fp16, "R", {1e9F, 65519.0F, -65519.0F})),
              "nothing was refused");
    EXPECT_EQ(refusal(with(Storage::fp16, "R", {0, 65520.0F, 0})),
              "program[0].append.rows[0][0]: found 65520, expected keys and values that do not "
              "overflow in fp16");
    EXPECT_EQ(
        refusal(with(Storage::bf16, "R", {0, 0, -0x1.ffp127F})),
        "program[0].append.rows[0][0]: found -3.3961775e+38, expected keys and values that do "
        "not overflow in bf16");
    EXPECT_EQ(refusal(with(Storage::bf16, "R", {0, 0, 0x1.fefffep127F})), "nothing was refused");
    EXPECT_EQ(refusal(with(Storage::int8, "R", {0, 0, 0x1.fffffep127F})), "nothing was refused");
    const Case padded = with(Storage::fp16, "P", {0, 65520.0F, 0});
    EXPECT_EQ(refusal(padded), "nothing was refused");
    EXPECT_TRUE(features_of(padded).has(Feature::masked_nonfinite));
    EXPECT_FALSE(
        features_of(with(Storage::fp16, "P", {0, 65519.0F, 0})).has(Feature::masked_nonfinite));
}

TEST(Token, EqualityIsOfBits) {
    const float nan = std::nanf("");
    EXPECT_EQ((Token{true, {nan, 1}}), (Token{true, {nan, 1}}));
    EXPECT_NE((Token{true, {0.0F}}), (Token{true, {-0.0F}}));
    EXPECT_NE((Token{true, {1}}), (Token{false, {1}}));
    EXPECT_NE((Token{true, {1}}), (Token{true, {1, 1}}));
}

TEST(Case, GeneratedCasesAreValid) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        EXPECT_NO_THROW(validate(generated_case(seed))) << seed;
    }
}

TEST(Case, EveryPartIsValidated) {
    struct BadCase {
        Case test_case;
        const char* refusal;
    };
    Case bad_spec = tiny_case(1, {});
    bad_spec.spec.rows = 0;
    Case bad_parameters = tiny_case(1, {});
    bad_parameters.parameters.query.bias = {1};
    Case bad_token = tiny_case(1, {Reset{}, tiny_append({"RR"})});
    std::get<Append>(bad_token.program[1]).rows[0][1].input.pop_back();
    const std::vector<BadCase> table = {
        {bad_spec, "spec.rows: found 0, expected an integer from 1 to 4096"},
        {bad_parameters, "parameters.query.bias: found 1 values, expected 0, as the spec says"},
        {bad_token, "program[1].append.rows[0][1]: found 2 values, expected 3, as the spec says"},
        {tiny_case(2, {tiny_append({"R", "R"}), tiny_append({"R"})}),
         "program[1].append: found the number of rows (clause 12), expected an admissible append"},
        {tiny_case(1, {tiny_append({"RRRRRRRR"}), tiny_append({""}), tiny_append({"P"})}),
         "program[2].append: found row 0, slot 8: beyond the capacity (clause 7), expected an "
         "admissible append"},
        {tiny_case(1, {tiny_append({"R"}, 1, std::vector<Index>{0}), Reset{},
                       tiny_append({"R"}, 1, std::vector<Index>{1})}),
         "program[2].append: found query_offset of row 0: 1, the next slot is 0 (clause 6), "
         "expected an "
         "admissible append"},
    };
    for (const BadCase& bad : table) {
        EXPECT_EQ(refusal_of([&] { validate(bad.test_case); }), bad.refusal);
    }
    EXPECT_EQ(refusal_of([&] { validate(bad_token, "a.json."); }),
              "a.json.program[1].append.rows[0][1]: found 2 values, expected 3, as the spec says");
}

TEST(Case, WhatSomebodySeesMustBeFinite) {
    // The inputs of a token are q, k and v.
    const auto case_of = [](bool real, PaddedQuery rule, std::size_t spoiled, float number) {
        Case test_case = tiny_case(1, {tiny_append({real ? "RR" : "RP"})});
        test_case.spec.padded_query = rule;
        std::get<Append>(test_case.program[0]).rows[0][1].input[spoiled] = number;
        return test_case;
    };
    for (const std::size_t spoiled : {0, 1, 2}) {
        for (const PaddedQuery rule : {PaddedQuery::unspecified, PaddedQuery::computed}) {
            EXPECT_EQ(
                refusal_of([&] { validate(case_of(true, rule, spoiled, INFINITY)); }),
                "program[0].append.rows[0][1]: found inf, expected finite numbers in a real token");
        }
        EXPECT_NO_THROW(validate(case_of(false, PaddedQuery::unspecified, spoiled, NAN)));
    }
    EXPECT_EQ(
        refusal_of([&] { validate(case_of(false, PaddedQuery::computed, 0, NAN)); }),
        "program[0].append.rows[0][1]: found nan, expected a finite query in a padded token whose "
        "output is computed");
    EXPECT_NO_THROW(validate(case_of(false, PaddedQuery::computed, 1, NAN)));
    EXPECT_NO_THROW(validate(case_of(false, PaddedQuery::computed, 2, NAN)));
}

TEST(Case, ThatWouldTakeForEverIsRefused) {
    Case test_case;
    test_case.spec.query_heads = test_case.spec.kv_heads = 64;
    test_case.spec.capacity = 2048;
    test_case.program.emplace_back(Append{{{}}, {}});
    auto& row = std::get<Append>(test_case.program.front()).rows.front();
    // 64 heads of two widths of one, 1448 tokens: 64 * 2 * 1448 * 1448 is just below 2^28.
    row.assign(1448, {true, std::vector<float>(std::size_t(test_case.spec.input_size()))});
    EXPECT_NO_THROW(validate(test_case));
    row.push_back(row.front());
    EXPECT_THAT(refusal_of([&] { validate(test_case); }),
                testing::HasSubstr("program: found 268748928 products, expected at most 2^28"));
}

}  // namespace
}  // namespace kvcheck
