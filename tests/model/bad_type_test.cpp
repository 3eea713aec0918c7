// SPDX-License-Identifier: Apache-2.0
// Case files of another format or version, or with a member of the wrong type; and that the page
// quotes what the reader says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "model/case_file.hpp"
#include "model/types/error.hpp"
#include "model/types/json.hpp"
#include "tests/model/documents.hpp"
#include "tests/model/edits.hpp"
#include "tests/model/refusal.hpp"

namespace kvcheck {
namespace {

TEST(BadType, FormatAndVersionComeFirst) {
    expect_refusals({
        {attention, "/format", "",
         ": found an object with 5 members, expected an object with the "
         "member \"format\""},
        {attention, "/format", "\"kvcheck\"",
         ".format: found \"kvcheck\", expected \"kvcheck case\""},
        {attention, "/format", "7", ".format: found 7, expected \"kvcheck case\""},
        {attention, "/version", "2",
         ".version: found 2, expected version 1, the newest that this program reads"},
        {attention, "/version", "0",
         ".version: found 0, expected version 1, the newest that this program reads"},
        {attention, "/version", "\"1\"",
         ".version: found \"1\", expected version 1, the newest that this program reads"},
        {attention, "/version", "18446744073709551615",
         ".version: found 18446744073709551615, expected version 1, the newest that this program "
         "reads"},
    });
    Json future = Json::parse(edited(attention, "/version", "2"));
    future["spec"] = "of another shape";
    EXPECT_EQ(refusal_of_text(future.dump()),
              "a.json.version: found 2, expected version 1, the newest that this program reads");
}

TEST(BadType, WrongTypesAreNamed) {
    expect_refusals({
        {attention, "/finding", "\"none\"", ".finding: found \"none\", expected an object"},
        {attention, "/finding/what", "null", ".finding.what: found null, expected a string"},
        {attention, "/spec", "[]", ".spec: found an array of 0, expected an object"},
        {attention, "/spec/dead_row", "\"zero\"",
         ".spec.dead_row: found \"zero\", expected one of \"zeros\", \"nan\", \"unspecified\""},
        {attention, "/spec/level", "1",
         ".spec.level: found 1, expected one of \"attention\", \"layer\""},
        {attention, "/spec/padded_query", "true",
         ".spec.padded_query: found true, expected one of \"unspecified\", \"computed\""},
        {attention, "/spec/position_ids", "[]",
         ".spec.position_ids: found an array of 0, expected one of \"slot\", \"visible_count\""},
        {attention, "/spec/position_signal", "\"rotary\"",
         ".spec.position_signal: found \"rotary\", expected one of \"none\", \"sinusoidal\", "
         "\"learned\""},
        {layer, "/spec/biases", "0", ".spec.biases: found 0, expected true or false"},
        {attention, "/parameters", "[]", ".parameters: found an array of 0, expected an object"},
        {attention, "/program", "{}",
         ".program: found an object with 0 members, expected an array"},
        {attention, "/program/1", "\"reset\"", ".program[1]: found \"reset\", expected an object"},
        {attention, "/program/1/append", "[]",
         ".program[1].append: found an array of 0, expected an object"},
        {attention, "/program/1/append/rows", "1",
         ".program[1].append.rows: found 1, expected an array"},
        {attention, "/program/1/append/rows/0", "null",
         ".program[1].append.rows[0]: found null, expected an array"},
        {attention, "/program/1/append/query_offset", "1",
         ".program[1].append.query_offset: found 1, expected an array"},
        {attention, "/program/1/append/rows/0/0", "\"-1\"",
         ".program[1].append.rows[0][0]: found \"-1\", expected an object"},
        {attention, "/program/1/append/rows/0/0/real", "1",
         ".program[1].append.rows[0][0].real: found 1, expected true or false"},
        {attention, "/program/1/append/rows/0/0/q", "1",
         ".program[1].append.rows[0][0].q: found 1, expected an array"},
        {attention, "/program/1/append/rows/0/0/q/0", "1",
         ".program[1].append.rows[0][0].q[0]: found 1, expected an array"},
    });
}

TEST(BadType, LongValuesAreCut) {
    const std::string refusal =
        refusal_of_text(edited(attention, "/format", "\"" + std::string(5000, 'x') + "\""));
    EXPECT_EQ(refusal,
              "a.json.format: found \"" + std::string(59, 'x') + "..., expected \"kvcheck case\"");
}

TEST(BadType, LongNumbersAndNamesAreCutToo) {
    const std::string digits(5000, '1');
    const std::string cut = std::string(50, '1');
    for (const std::string& text :
         {"{\"format\": " + digits + "e999}", edited(attention, "/spec/" + digits, "1")}) {
        const std::string refusal = refusal_of_text(text);
        EXPECT_THAT(refusal, testing::HasSubstr(cut));
        EXPECT_LT(refusal.size(), digits.size()) << refusal;
    }
}

TEST(BadType, NoMemberStandsTwice) {
    const std::string text = documented_case_files().at(attention);
    const std::string twice = "{\"version\": 1, " + text.substr(text.find('{') + 1);
    EXPECT_EQ(refusal_of_text(twice),
              "a.json: found the member \"version\" twice in one object, expected it once");
    // The same name in two objects is nothing special; the document is full of it.
    EXPECT_NO_THROW(case_file_from_text(text, "a.json"));
}

TEST(BadType, NothingFollowsAZeroByte) {
    const std::string text = documented_case_files().at(attention) + std::string(1, '\0') + "more";
    EXPECT_THAT(refusal_of_text(text),
                testing::HasSubstr("found text that stops being JSON at byte"));
}

TEST(BadType, ForeignTextIsMadePrintableAndCut) {
    EXPECT_STREQ(InputError("a\nb", "c\x1b[31m", "d").what(), "a?b: found c?[31m, expected d");
    const std::string cut = InputError::shown(std::string(5000, 'x'));
    EXPECT_EQ(cut, std::string(200, 'x') + "...");
}

TEST(BadType, AVersionIsAnInteger) {
    expect_refusals({
        {attention, "/version", "1.0",
         ".version: found 1.0, expected version 1, the newest that this program reads"},
    });
}

TEST(BadType, DocumentedErrorsAreWhatIsSaid) {
    const std::string text = documented_case_files().at(attention);
    const auto changed = [&](const auto& change) {
        Json json = Json::parse(text);
        change(json);
        return refusal_of_text(json.dump());
    };
    const std::vector<std::string> refusals = {
        refusal_of([] { read_case_file("a.json"); }),
        refusal_of_text(text.substr(0, 16)),
        refusal_of_text(edited(attention, "/spec", "")),
        refusal_of_text(edited(attention, "/version", "2")),
        refusal_of_text(edited(attention, "/spec/rows", "0")),
        changed([](Json& json) {
            json["spec"]["kv_heads"] = 4;
            json["spec"]["query_heads"] = 6;
        }),
        refusal_of_text(edited(attention, "/spec/dead_row", "\"zero\"")),
        refusal_of_text(edited(attention, "/program/0/append/rows/0/0/q/0", "[1, 2]")),
        refusal_of_text(edited(attention, "/program/0/append/rows/0/0/q/0", "[\"nan\"]")),
        refusal_of_text(edited(attention, "/program/1/append/query_offset", "[3]")),
        changed([](Json& json) {
            json["program"].push_back({{"truncate", {{"row", 0}, {"length", 9}}}});
        }),
    };
    std::string page = document("case_file.md");
    page = page.substr(page.find("## How errors read"));
    const std::string opening = "\n    a.json";
    // A line that does not open with the file goes on with the one before, which is broken there.
    for (std::size_t at = page.find("\n    "); at != std::string::npos;
         at = page.find("\n    ", at + 1)) {
        if (page.compare(at, opening.size(), opening) != 0) page.replace(at, 5, " ");
    }
    for (const std::string& refusal : refusals) {
        EXPECT_THAT(page, testing::HasSubstr("    " + refusal + "\n"));
    }
    std::size_t quoted = 0;
    for (std::size_t n = page.find(opening); n != std::string::npos;
         n = page.find(opening, n + 1)) {
        ++quoted;
    }
    EXPECT_EQ(quoted, refusals.size()) << "every quoted line is tested";
}

}  // namespace
}  // namespace kvcheck
