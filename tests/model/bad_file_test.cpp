// SPDX-License-Identifier: Apache-2.0
// What is not a case file at all: no file, no JSON, half a file, nesting without end. Each is
// refused in words, and cheaply. Documents with a wrong member are in bad_member_test.cpp.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "model/case_file.hpp"
#include "properties/generators/draw.hpp"
#include "tests/model/allocated.hpp"
#include "tests/model/documents.hpp"
#include "tests/model/edits.hpp"
#include "tests/model/generated.hpp"
#include "tests/model/refusal.hpp"
#include "tests/temporary_folder.hpp"

namespace kvcheck {
namespace {

namespace fs = std::filesystem;

std::string refusal_of_path(const std::string& path) {
    return refusal_of([&] { read_case_file(path); });
}

class BadFile : public testing::Test {
protected:
    std::string path(const std::string& name) const { return folder_.file(name); }
    std::string write(const std::string& text) const { return folder_.write("a.json", text); }

private:
    const TemporaryFolder folder_;
};

TEST_F(BadFile, AGoodOneIsRead) {
    const std::string text = documented_case_files().at(0);
    EXPECT_EQ(read_text_file(write(text)), text);
    EXPECT_EQ(to_text(read_case_file(write(text))), text);
}

TEST_F(BadFile, NoFileIsRefused) {
    EXPECT_EQ(refusal_of_path(path("no.json")),
              path("no.json") + ": found nothing, expected a readable file");
    EXPECT_EQ(refusal_of_path(path("no/no.json")),
              path("no/no.json") + ": found nothing, expected a readable file");
    EXPECT_EQ(refusal_of_path(""), ": found nothing, expected a readable file");
}

TEST_F(BadFile, WhatIsNoRegularFileIsRefusedUnopened) {
    const std::string irregular =
        ": found something that is not a regular file, expected a readable file";
    EXPECT_EQ(refusal_of_path(path(".")), path(".") + irregular);
    ASSERT_EQ(mkfifo(path("pipe").c_str(), S_IRUSR | S_IWUSR), 0);
    EXPECT_EQ(refusal_of_path(path("pipe")), path("pipe") + irregular) << "reading it would hang";
    EXPECT_EQ(refusal_of_path("/dev/zero"), "/dev/zero" + irregular);
}

TEST_F(BadFile, AFileThatIsTooLargeIsRefusedUnread) {
    constexpr std::uintmax_t size = (std::uintmax_t{64} << 20U) + 1;
    const std::string file = write("");
    fs::resize_file(file, size);
    const std::size_t before = bytes_allocated();
    EXPECT_EQ(refusal_of_path(file), file + ": found 67108865 bytes, expected at most 67108864");
    EXPECT_LT(bytes_allocated() - before, size);
}

TEST_F(BadFile, EmptyFilesAreRefused) {
    for (const char* text : {"", " ", "\n\n\t"}) {
        const std::string file = write(text);
        const std::string refusal = refusal_of_path(file);
        EXPECT_TRUE(reads_well(refusal, file + ": found text that stops being JSON")) << refusal;
    }
}

TEST_F(BadFile, BinaryJunkIsRefused) {
    Draw draw{SplitMix(1)};
    for (int n = 0; n < 500; ++n) {
        std::string junk(std::size_t(draw.range(1, 300)), '\0');
        for (char& c : junk) c = char(draw.below(256));
        const std::string file = write(junk);
        const std::string refusal = refusal_of_path(file);
        EXPECT_TRUE(reads_well(refusal, file)) << refusal;
    }
    for (const std::string& junk : {std::string(1000, '\0'), std::string(1000, '\xff')}) {
        EXPECT_TRUE(reads_well(refusal_of_text(junk), "a.json"));
    }
}

/// What is said of the first `length` bytes of a case file whose last brace is cut off.
void expect_refused_when_cut(const std::string& text, std::size_t length) {
    const std::string refusal = refusal_of_text(text.substr(0, length));
    ASSERT_TRUE(reads_well(refusal, "a.json: found text that stops being JSON at byte "))
        << length << ": " << refusal;
}

TEST(BadText, EveryTruncationIsRefused) {
    // Each is parsed as far as it goes, so that small files show as much as large ones.
    constexpr std::size_t small = 2500;
    std::vector<std::string> texts = documented_case_files();
    for (std::uint64_t n = 0; texts.size() < 4; ++n) {
        const std::string text = to_text({generated_case(n), {}});
        if (text.size() <= small) texts.push_back(text);
    }
    for (const std::string& text : texts) {
        const std::size_t last = text.find_last_of('}');  // only white space follows
        for (std::size_t length = 0; length <= last; ++length)
            expect_refused_when_cut(text, length);
        EXPECT_NO_THROW(case_file_from_text(text.substr(0, last + 1), "a.json"));
    }
}

TEST(BadText, TruncationsOfLargeFilesAreRefused) {
    constexpr std::size_t places = 100;
    for (const std::uint64_t seed : {0U, 1U}) {
        const std::string text = to_text({generated_case(seed), {}});
        const std::size_t last = text.find_last_of('}');
        for (std::size_t n = 0; n <= places; ++n) expect_refused_when_cut(text, last * n / places);
    }
}

TEST(BadText, TheByteIsWhereJsonStops) {
    EXPECT_EQ(refusal_of_text("[1, 2, x]"),
              "a.json: found text that stops being JSON at byte 8, expected a JSON document");
    const std::string text = documented_case_files().at(0);
    EXPECT_TRUE(
        reads_well(refusal_of_text(text + "}"), "a.json: found text that stops being JSON"));
}

TEST(BadText, JsonOfAnotherKindIsRefused) {
    for (const char* text : {"null", "true", "1", "\"kvcheck case\"", "[]", "{}", "[[], {}]"}) {
        const std::string refusal = refusal_of_text(text);
        EXPECT_TRUE(reads_well(refusal, "a.json: found ")) << refusal;
    }
    EXPECT_EQ(refusal_of_text("{}"),
              "a.json: found an object with 0 members, expected an object with the member "
              "\"format\"");
    EXPECT_EQ(refusal_of_text("[1]"), "a.json: found an array of 1, expected an object");
}

TEST(BadText, NestingWithoutEndIsRefused) {
    constexpr std::size_t depth = 100000;
    const std::string arrays(depth, '[');
    const std::string closed = arrays + std::string(depth, ']');
    std::string objects;
    for (std::size_t n = 0; n < depth; ++n) objects += "{\"a\":";
    for (const std::string& text : {arrays, closed, objects, "{\"format\":" + closed + "}"}) {
        const std::string refusal = refusal_of_text(text);
        EXPECT_TRUE(reads_well(refusal, "a.json")) << refusal;
    }
}

TEST(BadText, NestingBesideOtherMembersIsRefused) {
    constexpr std::size_t depth = 1000000;
    const std::string nested = std::string(depth, '[') + std::string(depth, ']');
    for (const std::string& text : {"{\"format\":" + nested + ",\"version\":1}",
                                    "{\"version\":" + nested + ",\"format\":1}"}) {
        const std::string refusal = refusal_of_text(text);
        EXPECT_TRUE(reads_well(refusal, "a.json")) << refusal;
    }
    std::string text = documented_case_files().at(0);
    const std::string number = "[[1]]";
    text.replace(text.find(number), number.size(), nested);
    EXPECT_TRUE(reads_well(refusal_of_text(text), "a.json"));
}

}  // namespace
}  // namespace kvcheck
