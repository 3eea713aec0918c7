// SPDX-License-Identifier: Apache-2.0
// A check that cannot fail is worth nothing: for every claim of the catalogue at least one subject
// that breaks it and little else, found by random cases at attention level.
#include <gtest/gtest.h>

#include <set>

#include "properties/catalogue.hpp"
#include "properties/drive/sentence.hpp"
#include "properties/search/search.hpp"
#include "tests/properties/faults.hpp"

namespace kvcheck {
namespace {

class CanFail : public testing::TestWithParam<Fault> {};

TEST_P(CanFail, OnASubjectWithThisFault) {
    const auto subject = tampered(GetParam().make());
    SearchOptions options;
    options.seed = 7;
    const SearchResult result =
        search(*property_named(GetParam().property), *subject, Level::attention, options);
    ASSERT_TRUE(result.counterexample);
    EXPECT_EQ(result.counterexample->verdict.kind, Verdict::Kind::failed)
        << sentence_of(result.counterexample->verdict);
}

INSTANTIATE_TEST_SUITE_P(EveryProperty, CanFail, testing::ValuesIn(faults()),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Catalogue, HasAFaultForEveryProperty) {
    std::set<std::string_view> covered;
    for (const Fault& fault : faults()) covered.insert(fault.property);
    for (const Property& property : properties()) {
        EXPECT_TRUE(covered.count(property.name)) << property.name;
    }
}

TEST(Properties, HoldOnAForwardedSubject) {
    const auto subject = tampered({});
    for (const Property& property : properties()) {
        if (!property.is_asked_of(subject->capabilities().features)) continue;
        SearchOptions options;
        options.cases = 20;
        const SearchResult result = search(property, *subject, Level::attention, options);
        EXPECT_FALSE(result.counterexample) << property.name;
        EXPECT_GT(result.passed, 0) << property.name;
    }
}

}  // namespace
}  // namespace kvcheck
