// SPDX-License-Identifier: Apache-2.0
// Every file of the corpus, each as a test of its own: it is still readable, its property is still
// in the catalogue, and the textbook subject holds.
#include <gtest/gtest.h>

#include <filesystem>

#include "impl/catalogue.hpp"
#include "model/case_file.hpp"
#include "properties/catalogue.hpp"
#include "properties/drive/sentence.hpp"
#include "properties/search/counterexample_file.hpp"
#include "properties/search/search.hpp"

namespace kvcheck {
namespace {

const std::vector<std::pair<std::string, CaseFile>>& corpus() {
    static const auto files = [] {
        std::vector<std::string> troubles;
        auto all = read_corpus(KVCHECK_SOURCE "/corpus", troubles);
        for (const std::string& trouble : troubles) ADD_FAILURE() << trouble;
        return all;
    }();
    return files;
}

class Corpus : public testing::TestWithParam<std::size_t> {};

TEST_P(Corpus, HoldsOnTheTextbookSubject) {
    const auto& [path, file] = corpus()[GetParam()];
    const Property* property = property_named(file.finding.property);
    ASSERT_NE(property, nullptr) << path;
    const auto subject = built_in_subjects()[0].make("plain");
    const Verdict verdict = check(*property, *subject, file.test_case);
    EXPECT_EQ(verdict.kind, Verdict::Kind::passed) << path << ": " << sentence_of(verdict);
}

INSTANTIATE_TEST_SUITE_P(All, Corpus, testing::Range(std::size_t{0}, corpus().size()),
                         [](const auto& test) {
                             std::string name =
                                 std::filesystem::path(corpus()[test.param].first).stem();
                             for (char& c : name) c = std::isalnum(c) != 0 ? c : '_';
                             return name;
                         });

TEST(CorpusFolder, IsNotEmpty) { EXPECT_FALSE(corpus().empty()); }

}  // namespace
}  // namespace kvcheck
