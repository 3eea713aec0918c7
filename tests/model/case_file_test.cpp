// SPDX-License-Identifier: Apache-2.0
// Case files keep every bit, and docs/case_file.md says what they look like. What is refused is the
// business of bad_file_test.cpp and bad_member_test.cpp.
#include "model/case_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <sstream>

#include "model/types/json.hpp"
#include "model/walk.hpp"
#include "tests/model/build.hpp"
#include "tests/model/documents.hpp"
#include "tests/model/generated.hpp"

namespace kvcheck {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t case_count = 400;

TEST(CaseFile, RoundTripKeepsEveryBit) {
    for (std::uint64_t seed = 0; seed < case_count; ++seed) {
        const CaseFile file{generated_case(seed), {"p", "s", "k", "\"w\" \n\\ \xc3\xa4", "5eed"}};
        const CaseFile read = case_file_from_text(to_text(file), "file");
        ASSERT_TRUE(same_case(read.test_case, file.test_case)) << to_text(file);
        ASSERT_EQ(read.finding, file.finding);
    }
}

TEST(CaseFile, TheTextIsStable) {
    for (std::uint64_t seed = 0; seed < case_count; ++seed) {
        const CaseFile file{generated_case(seed), {}};
        const std::string text = to_text(file);
        const CaseFile read = case_file_from_text(text, "file");
        ASSERT_EQ(to_text(read), text);
    }
}

/// The round trips above are worth what their numbers are.
TEST(CaseFile, TheRoundTripsContainWhatIsHard) {
    std::vector<float> padded;
    std::vector<float> real;
    for (std::uint64_t seed = 0; seed < case_count; ++seed) {
        const Case test_case = generated_case(seed);
        for_each_token(test_case, [&](const TokenSite&, const Token& token) {
            auto& numbers = token.real ? real : padded;
            numbers.insert(numbers.end(), token.input.begin(), token.input.end());
        });
    }
    const auto has = [](const std::vector<float>& numbers, auto predicate) {
        return std::any_of(numbers.begin(), numbers.end(), predicate);
    };
    EXPECT_TRUE(has(padded, [](float x) { return std::isnan(x); }));
    EXPECT_TRUE(has(padded, [](float x) { return x == INFINITY; }));
    EXPECT_TRUE(has(padded, [](float x) { return x == -INFINITY; }));
    EXPECT_TRUE(has(real, [](float x) { return x == 0 && std::signbit(x); }));
    EXPECT_TRUE(has(real, [](float x) { return std::fpclassify(x) == FP_SUBNORMAL; }));
    EXPECT_TRUE(has(real, [](float x) { return x == FLT_MAX; }));
}

TEST(CaseFile, NumbersAreTheShortestDecimals) {
    Case test_case = tiny_case(1, {tiny_append({"P"})});
    std::get<Append>(test_case.program[0]).rows[0][0].input = {0.1F, -0.0F, FLT_MAX};
    EXPECT_THAT(to_text({test_case, {}}),
                HasSubstr(R"({"real":false,"q":[[0.1]],"k":[["-0"]],"v":[[3.4028235e+38]]})"));
    std::get<Append>(test_case.program[0]).rows[0][0].input = {NAN, -INFINITY, 16777216};
    EXPECT_THAT(to_text({test_case, {}}),
                HasSubstr(R"({"real":false,"q":[["nan"]],"k":[["-inf"]],"v":[[16777216]]})"));
}

TEST(CaseFile, DocumentedExamplesAreWrittenAsDocumented) {
    const std::vector<std::string> examples = documented_case_files();
    ASSERT_EQ(examples.size(), 2U);
    const CaseFile attention = case_file_from_text(examples[0], "example");
    EXPECT_EQ(to_text(attention), examples[0]);
    EXPECT_EQ(attention.finding.property, "chunks_do_not_matter");
    // The layer example has no finding, which a written file always has.
    const Case layer = case_file_from_text(examples[1], "example").test_case;
    std::string written = to_text({layer, {}});
    const std::size_t begin = written.find(" \"finding\"");
    written.erase(begin, written.find(" \"spec\"") - begin);
    EXPECT_EQ(written, examples[1]);
}

TEST(CaseFile, DocumentedAttentionExampleIsThatCase) {
    Case expected = tiny_case(1, {});
    expected.spec.capacity = 2;
    for (const Index slot : {0, 1}) {
        const Token token{true, {1, 0, slot == 0 ? 1.0F : 3.0F}};
        expected.program.emplace_back(Append{{{token}}, std::vector<Index>{slot}});
    }
    EXPECT_EQ(case_file_from_text(documented_case_files().at(0), "example").test_case, expected);
}

TEST(CaseFile, AnyLayoutAndOrderOfMembersIsRead) {
    const std::string text = documented_case_files().at(0);
    const Json json = Json::parse(text);
    const CaseFile expected = case_file_from_text(text, "file");
    const auto sorted = nlohmann::json::parse(text);  // members in alphabetical order
    for (const std::string& other :
         {json.dump(), json.dump(7, '\t'), sorted.dump(), " \r\n\t" + json.dump() + "\n\n"}) {
        const CaseFile read = case_file_from_text(other, "file");
        EXPECT_TRUE(same_case(read.test_case, expected.test_case)) << other;
        EXPECT_EQ(read.finding, expected.finding);
    }
}

TEST(CaseFile, AFindingIsOptional) {
    Json json = Json::parse(documented_case_files().at(0));
    json.erase("finding");
    const CaseFile bare = case_file_from_text(json.dump(), "file");
    EXPECT_EQ(bare.finding, Finding{});
}

TEST(CaseFile, OnlyTextIsLongerThanALine) {
    constexpr std::size_t columns = 100;
    std::istringstream lines(to_text({generated_case(1), {}}));
    std::string line;
    int broken = 0;
    while (std::getline(lines, line)) {
        // The name of a member and a comma may stand beside a value that fits.
        const std::size_t name_end = line.find("\": ");
        const std::size_t beside = name_end == std::string::npos ? 1 : name_end + 4;
        EXPECT_LE(line.size(), columns + beside) << line;
        broken += line.back() == '[' || line.back() == '{' ? 1 : 0;
    }
    EXPECT_GT(broken, 1);
}

}  // namespace
}  // namespace kvcheck
