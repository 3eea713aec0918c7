// SPDX-License-Identifier: Apache-2.0
// The house rules over the whole tree, and each rule on a text that breaks it.
#include "tests/tidy/tidy_rules.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "model/types/lifecycle_json.hpp"
#include "model/types/spec_fields.hpp"
#include "properties/catalogue.hpp"

namespace kvcheck::tidy {
namespace {

const std::string root = KVCHECK_SOURCE;

const std::vector<File>& tree() {
    static const std::vector<File> files = source_files(root);
    return files;
}

void expect_none(Findings (*rule)(const File&)) {
    ASSERT_GT(tree().size(), 50U);
    for (const File& file : tree()) {
        for (const std::string& finding : rule(file)) ADD_FAILURE() << finding;
    }
}

std::string text_of(const std::string& path) {
    std::ifstream stream(root + "/" + path);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

TEST(Tidy, IncludesFollowTheTable) { expect_none(wrong_includes); }
TEST(Tidy, NoToleranceLiteralStandsOutsideTheOracles) { expect_none(tolerance_literals); }
TEST(Tidy, EveryFileSaysWhatItIs) { expect_none(missing_head); }
TEST(Tidy, NothingIsRandomBelowTheCommand) { expect_none(banned_words); }

TEST(Tidy, EverySourceIsNamedInCMake) {
    for (const std::string& finding : unnamed_sources(root, tree())) ADD_FAILURE() << finding;
}

TEST(Tidy, FilesAreShort) {
    for (const File& file : tree()) {
        EXPECT_LE(std::count(file.text.begin(), file.text.end(), '\n'), 400) << file.path;
    }
}

TEST(Tidy, ExamplesAreShortEnoughToBeCopied) {
    const std::vector<std::pair<std::string, long>> lines_max = {
        {"examples/c/attention.c", 140},      {"examples/cpp/attention.cpp", 140},
        {"examples/python/attention.py", 90}, {"examples/python/attention_numpy.py", 45},
        {"examples/node/attention.mjs", 90},  {"examples/node/attention_kernel.mjs", 45}};
    for (const auto& [path, most] : lines_max) {
        const std::string text = text_of(path);
        EXPECT_NE(text, "") << path;
        EXPECT_LE(std::count(text.begin(), text.end(), '\n'), most) << path;
    }
}

TEST(Tidy, EveryPropertyStandsInTheCatalogueAndInTheDocs) {
    const std::string docs = text_of("docs/properties.md");
    for (const Property& property : properties()) {
        EXPECT_NE(docs.find("`" + std::string(property.name) + "`"), std::string::npos)
            << property.name << " is not in docs/properties.md";
        EXPECT_TRUE(std::filesystem::exists(root + "/properties/claims/" +
                                            std::string(property.name) + ".cpp"))
            << property.name << " has no file of its name";
    }
    for (const File& file : tree()) {
        // A file that defines a check by its own name is a property.
        const std::string stem = std::filesystem::path(file.path).stem();
        if (file.text.find("Verdict " + stem + "(Subject&") == std::string::npos) continue;
        if (file.path.rfind("properties/", 0) != 0) continue;
        EXPECT_NE(property_named(stem), nullptr) << file.path << " is not in the catalogue";
    }
}

TEST(Tidy, TheDocsShowTheFeatureTable) {
    const std::string docs = text_of("docs/adding.md");
    for (const Feature feature : FeatureSet::all().list()) {
        const FeatureInfo& info = info_of(feature);
        const bool layer = info.levels == FeatureInfo::Levels::layer;
        const std::string row = "| `" + std::string(info.name) + "` | " +
                                std::string(info.meaning) + (layer ? " (layer level)" : "") + " |";
        EXPECT_NE(docs.find(row + "\n"), std::string::npos) << row << " is not in docs/adding.md";
    }
}

TEST(Tidy, TheDocsDescribeEveryFieldAndEveryCommand) {
    const std::string file = text_of("docs/case_file.md");
    for (const SpecField& field : spec_fields) {
        const char* const when = field.layer_only ? "layer only, required there"
                                 : field.optional ? "optional"
                                                  : "required";
        const std::string row = "| `" + std::string(field.name) + "` | " + when + " |";
        EXPECT_NE(file.find(row), std::string::npos) << row << " is not in docs/case_file.md";
    }
    const std::string protocol = text_of("docs/protocol.md");
    for (const std::string_view name : lifecycle_names()) {
        const std::string command = "`{\"" + std::string(name) + "\": {";
        EXPECT_NE(file.find(command), std::string::npos) << name << " is not in docs/case_file.md";
        EXPECT_NE(protocol.find(command), std::string::npos)
            << name << " is not in docs/protocol.md";
    }
    EXPECT_NE(file.find("`{\"" + std::string(Reload::name) + "\": {"), std::string::npos)
        << "reload is not in docs/case_file.md";
}

// The rules themselves.

TEST(TidyRules, SeeAForbiddenInclude) {
    EXPECT_FALSE(wrong_includes({"impl/x.cpp", "#include \"model/attention.hpp\"\n"}).empty());
    EXPECT_FALSE(wrong_includes({"impl/x.cpp", "#include \"oracles/truth.hpp\"\n"}).empty());
    EXPECT_FALSE(
        wrong_includes({"properties/x.cpp", "#include \"impl/plain/plain.hpp\"\n"}).empty());
    EXPECT_FALSE(wrong_includes({"model/types/x.hpp", "#include \"model/case.hpp\"\n"}).empty());
    EXPECT_FALSE(wrong_includes({"oracles/x.cpp", "#include \"impl/subject.hpp\"\n"}).empty());
    EXPECT_FALSE(wrong_includes({"impl/x.cpp", "#include <boost/x.hpp>\n"}).empty());
    EXPECT_FALSE(
        wrong_includes({"impl/memory/x.cpp", "#include \"impl/protocol/wire.hpp\"\n"}).empty());
    EXPECT_FALSE(
        wrong_includes({"properties/drive/x.cpp", "#include \"properties/search/shrink.hpp\"\n"})
            .empty());
    EXPECT_TRUE(wrong_includes({"impl/x.cpp", "#include \"model/types/spec.hpp\"\n"}).empty());
    EXPECT_TRUE(wrong_includes({"properties/x.cpp", "#include \"impl/subject.hpp\"\n"}).empty());
}

TEST(TidyRules, SeeAToleranceLiteral) {
    for (const char* const text : {"x < 1e-5", "x < 1.5E-3f", "x<=2.e-6", "x < 0x1p-20"}) {
        EXPECT_FALSE(tolerance_literals({"properties/x.cpp", text}).empty()) << text;
    }
    for (const char* const text : {"// about 1e-5\n", "x = 1e5", "name1e-5", "x = 0x1p10F"}) {
        EXPECT_TRUE(tolerance_literals({"properties/x.cpp", text}).empty()) << text;
    }
}

TEST(TidyRules, SeeAMissingHead) {
    EXPECT_FALSE(missing_head({"model/x.hpp", "#pragma once\n"}).empty());
    EXPECT_FALSE(
        missing_head({"model/x.hpp", "// SPDX-License-Identifier: Apache-2.0\n#pragma once\n"})
            .empty());
    EXPECT_TRUE(missing_head({"model/x.hpp", "// SPDX-License-Identifier: Apache-2.0\n// What.\n"})
                    .empty());
}

TEST(TidyRules, SeeABannedWord) {
    EXPECT_FALSE(banned_words({"properties/x.cpp", "std::random_device d;"}).empty());
    EXPECT_TRUE(banned_words({"cli/x.cpp", "std::random_device d;"}).empty());
}

TEST(TidyRules, SeeAnUnnamedSource) {
    EXPECT_FALSE(unnamed_sources(root, {{"model/nowhere_at_all.cpp", ""}}).empty());
    EXPECT_TRUE(unnamed_sources(root, {{"model/case.cpp", ""}}).empty());
    EXPECT_FALSE(unnamed_sources(root, {{"examples/nowhere/at_all.c", ""}}).empty())
        << "in a folder without a list of its own";
    EXPECT_FALSE(unnamed_sources(root, {{"model/ase.cpp", ""}}).empty()) << "the end of a name";
    EXPECT_FALSE(unnamed_sources(root, {{"model/reset.cpp", ""}}).empty()) << "it is in commands/";
    EXPECT_TRUE(unnamed_sources(root, {{"model/commands/reset.cpp", ""}}).empty());
    EXPECT_TRUE(unnamed_sources(root, {{"examples/c/attention.c", ""}}).empty())
        << "built by tests/adapters";
}

TEST(TidyRules, SeeAnUnnamedSourceFromWhereverTheyRun) {
    const std::filesystem::path before = std::filesystem::current_path();
    for (const std::string& where : {root, root + "/tests", std::string("/")}) {
        std::filesystem::current_path(where);
        EXPECT_EQ(unnamed_sources(root, {{"examples/c/nowhere.c", ""}}).size(), 1U) << where;
        EXPECT_EQ(unnamed_sources(root, {{"examples/c/attention.c", ""}}).size(), 0U) << where;
    }
    std::filesystem::current_path(before);
}

}  // namespace
}  // namespace kvcheck::tidy
