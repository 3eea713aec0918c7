// SPDX-License-Identifier: Apache-2.0
// Whatever two cases differ in, their hashes differ; the hash of a case is the same in every run
// and on every compiler, and that of the file it was written to.
#include "model/case_hash.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <string>

#include "model/case_file.hpp"
#include "model/types/arrays.hpp"
#include "model/types/spec_fields.hpp"
#include "model/walk.hpp"
#include "tests/model/build.hpp"
#include "tests/model/generated.hpp"

namespace kvcheck {
namespace {

constexpr std::uint64_t case_count = 400;

/// Another value of a field's type.
Index other(Index value) { return value + 1; }
bool other(bool value) { return !value; }
template <class Value>
std::optional<Value> other(const std::optional<Value>& value) {
    return value ? std::optional(Value(*value + 1)) : std::optional(Value(0));
}
template <class Enum>
Enum other(Enum value) requires std::is_enum_v<Enum> {
    return Enum(int(value) + 1);
}

/// A case with a value in everything that it may hold.
Case full_case() {
    Case test_case = tiny_case(2, {tiny_append({"RP", "R"}, 1, std::vector<Index>{0, 0}), Reset{1},
                                   tiny_append({"", "RR"}, 4), Reset{}});
    for (const ParameterArray& array : parameter_arrays()) {
        array.in(test_case.parameters) = {1, 2, 0.5F};
    }
    return test_case;
}

TEST(CaseHash, DiffersWhereAnyFieldOfTheSpecDoes) {
    const Case base = full_case();
    std::set<std::uint64_t> hashes = {hash_of(base)};
    std::size_t fields = 0;
    for_each_field(base.spec, [&](const SpecField& field, const auto&) {
        Case changed = base;
        for_each_field(changed.spec, [&](const SpecField& one, auto& value) {
            if (&one == &field) value = other(value);
        });
        EXPECT_TRUE(hashes.insert(hash_of(changed)).second) << field.name;
        ++fields;
    });
    EXPECT_EQ(fields, spec_fields.size());
    Case absent = base;
    absent.spec.window = 0;  // a value is not the same as none
    EXPECT_NE(hash_of(absent), hash_of(base));
}

/// Every bit of a number, and its sign where it is zero.
void expect_every_bit(const Case& base, const std::function<float&(Case&)>& number,
                      const std::string& what) {
    std::set<std::uint64_t> hashes = {hash_of(base)};
    for (unsigned bit = 0; bit < 32; ++bit) {
        Case changed = base;
        float& x = number(changed);
        x = std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) ^ (1U << bit));
        if (std::isnan(x)) continue;
        EXPECT_TRUE(hashes.insert(hash_of(changed)).second) << what << ", bit " << bit;
    }
    Case zero = base;
    number(zero) = 0;
    Case minus_zero = base;
    number(minus_zero) = -0.0F;
    EXPECT_NE(hash_of(zero), hash_of(minus_zero)) << what;
}

TEST(CaseHash, DiffersWhereAParentDoes) {
    const Case base = full_case();
    std::set<std::uint64_t> hashes = {hash_of(base)};
    for (const Index back : {2, 3}) {
        for (const bool real : {true, false}) {
            Case changed = base;
            Token& token = std::get<Append>(changed.program[0]).rows[0][1];
            token.back = back;
            token.real = real;
            EXPECT_TRUE(hashes.insert(hash_of(changed)).second) << back << real;
        }
    }
}

TEST(CaseHash, DiffersWhereAnyBitOfAnyParameterDoes) {
    const Case base = full_case();
    for (const ParameterArray& array : parameter_arrays()) {
        for (const std::size_t at : {0, 2}) {
            expect_every_bit(
                base, [&](Case& test_case) -> float& { return array.in(test_case.parameters)[at]; },
                array.path());
        }
        Case shorter = base;
        array.in(shorter.parameters).pop_back();
        EXPECT_NE(hash_of(shorter), hash_of(base)) << array.path();
    }
}

TEST(CaseHash, DiffersWhereTheSameNumbersStandInAnotherArray) {
    std::set<std::uint64_t> hashes;
    for (const ParameterArray& array : parameter_arrays()) {
        Case one = tiny_case(1, {});
        array.in(one.parameters) = {1};
        EXPECT_TRUE(hashes.insert(hash_of(one)).second) << array.path();
    }
}

TEST(CaseHash, DiffersWhereAnyBitOrTheValidityOfAnyTokenDoes) {
    const Case base = full_case();
    std::set<std::uint64_t> hashes = {hash_of(base)};
    for_each_token(base, [&](const TokenSite& site, const Token& token) {
        const auto in = [site](Case& test_case) -> Token& {
            return std::get<Append>(test_case.program[std::size_t(site.command)])
                .rows[std::size_t(site.row)][std::size_t(site.index)];
        };
        for (std::size_t i = 0; i < token.input.size(); ++i) {
            expect_every_bit(
                base, [&](Case& test_case) -> float& { return in(test_case).input[i]; }, "token");
        }
        Case changed = base;
        in(changed).real = !token.real;
        EXPECT_TRUE(hashes.insert(hash_of(changed)).second) << "validity";
    });
}

TEST(CaseHash, DiffersWhereTheProgramDoes) {
    std::set<std::uint64_t> hashes;
    const Append one = tiny_append({"R"}, 1);
    const Append two = tiny_append({"R"}, 2);
    Append with_offsets = one;
    with_offsets.query_offset = {0};
    Append other_offsets = one;
    other_offsets.query_offset = {1};
    Append none = tiny_append({""});
    Append no_rows;
    const std::vector<std::vector<Command>> programs = {
        {},
        {none},
        {no_rows},
        {one},
        {two},
        {one, two},
        {two, one},
        {tiny_append({"RR"}, 1)},
        {tiny_append({"R", "R"}, 1)},
        {tiny_append({"RR", ""}, 1)},
        {tiny_append({"", "RR"}, 1)},
        {with_offsets},
        {other_offsets},
        {one, Reset{}},
        {one, Reset{0}},
        {one, Reset{1}},
        {Reset{}, one},
    };
    for (const auto& program : programs) {
        EXPECT_TRUE(hashes.insert(hash_of(tiny_case(1, program))).second) << program.size();
    }
}

TEST(CaseHash, IsOneForEveryNan) {
    Case base = full_case();
    float& x = std::get<Append>(base.program[0]).rows[0][1].input[0];
    x = std::numeric_limits<float>::quiet_NaN();
    const std::uint64_t hash = hash_of(base);
    x = std::bit_cast<float>(0xffc12345U);
    EXPECT_EQ(hash_of(base), hash);
}

TEST(CaseHash, IsThatOfTheFileItWasWrittenTo) {
    for (std::uint64_t seed = 0; seed < case_count; ++seed) {
        const CaseFile file{generated_case(seed), {"p", "s", "k", "w", "5eed"}};
        ASSERT_EQ(hash_of(case_file_from_text(to_text(file), "file").test_case),
                  hash_of(file.test_case));
    }
}

TEST(CaseHash, TellsDrawnCasesApartInTheHalfOfWhichNamesAreMade) {
    std::map<std::uint32_t, std::uint64_t> seed_of_hash;
    for (std::uint64_t seed = 0; seed < case_count; ++seed) {
        const Case test_case = generated_case(seed);
        const auto [known, is_new] = seed_of_hash.emplace(std::uint32_t(hash_of(test_case)), seed);
        EXPECT_TRUE(is_new || same_case(generated_case(known->second), test_case)) << seed;
    }
    EXPECT_GT(seed_of_hash.size(), case_count / 2);
}

/// The signs of two numbers are the uppermost bits of two words.
TEST(CaseHash, DiffersInThatHalfWhereTwoSignsDo) {
    std::set<std::uint32_t> hashes;
    for (unsigned signs = 0; signs < 8; ++signs) {
        Case test_case = tiny_case(1, {tiny_append({"R"})});
        for (unsigned i = 0; i < 3; ++i) {
            std::get<Append>(test_case.program[0]).rows[0][0].input[i] =
                (signs >> i & 1U) == 0 ? 0.0F : -0.0F;
        }
        EXPECT_TRUE(hashes.insert(std::uint32_t(hash_of(test_case))).second) << signs;
    }
}

TEST(CaseHash, NeverChanges) {
    // Names of files contain it: with a new value here a finding gets a new name.
    EXPECT_EQ(hash_of(full_case()), 3959128516303944024U);
}

TEST(StreamHash, DependsOnEveryCaseAndOnTheirOrder) {
    const Case one = tiny_case(1, {tiny_append({"R"}, 1)});
    const Case two = tiny_case(1, {tiny_append({"R"}, 2)});
    const auto stream = [](const std::vector<Case>& cases) {
        std::uint64_t hash = 0;
        for (const Case& test_case : cases) hash = stream_hash(hash, test_case);
        return hash;
    };
    std::set<std::uint64_t> hashes;
    for (const auto& cases : std::vector<std::vector<Case>>{
             {}, {one}, {two}, {one, one}, {one, two}, {two, one}, {one, two, one}}) {
        EXPECT_TRUE(hashes.insert(stream(cases)).second) << cases.size();
    }
    // What scripts/test compares between compilers; a new value here is a new stream.
    EXPECT_EQ(stream({one, two}), 11854986995461996300U);
}

}  // namespace
}  // namespace kvcheck
