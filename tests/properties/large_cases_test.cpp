// SPDX-License-Identifier: Apache-2.0
// Large cases stay within what a subject allows and near the sizes they are named after, and they
// see what the comparison of some outputs of a long row does not.
#include "properties/large_cases.hpp"

#include <gtest/gtest.h>

#include "properties/catalogue.hpp"
#include "properties/generators/calls.hpp"
#include "tests/properties/tampered.hpp"

namespace kvcheck {
namespace {

constexpr Index blind_slot = 100;  // not among those that Output::is_answered compares

/// Its query at one slot sees its own key alone.
class BlindOnce final : public PlainRules {
    bool sees(const TokenPlace& query, Index key) const override {
        const bool is_missed = query.slot() == blind_slot && key != blind_slot;
        return !is_missed && PlainRules::sees(query, key);
    }
};

TEST(LargeCases, KeepToTheirSizesAndToWhatIsAllowed) {
    const FeatureSet least = {Feature::attention, Feature::layer};
    for (const bool whole : {false, true}) {
        for (const LargeSize& size : large_sizes(whole)) {
            if (whole && size.slots > 1024) continue;
            for (const FeatureSet& allowed : {least, FeatureSet::all()}) {
                Draw draw(SplitMix{1});
                const Case test_case = draw_large(draw, Level::attention, allowed, size).test_case;
                if (!whole) validate(test_case);  // a file must be able to hold it
                EXPECT_TRUE(allowed.has_all(features_of(test_case)));
                const Index longest = longest_row(test_case);
                EXPECT_LE(longest, size.slots);
                EXPECT_GT(longest, size.slots * 7 / 8);
                EXPECT_LE(test_case.spec.key_width, size.width);
                EXPECT_GE(test_case.spec.key_width, size.width - 2);
            }
        }
    }
}

TEST(LargeCases, HoldOnAForwardedSubjectWithoutFiftyDigits) {
    const auto subject = tampered({});
    const SearchResult result =
        search_large_cases(*subject, Level::attention, {1, false}, SearchOptions{});
    EXPECT_EQ(result.passed, 1);
    EXPECT_GT(result.evaluation.certified, 10000);
    EXPECT_EQ(result.evaluation.escalated, 0);
    EXPECT_EQ(result.coverage.cases, 0) << "they are no random cases";
}

TEST(LargeCases, SeeWhatTheComparisonOfSomeOutputsDoesNot) {
    Tamper tamper;
    tamper.rules = std::make_shared<BlindOnce>();
    const auto subject = tampered(tamper);
    SearchOptions options;
    options.shrink_work_max = 0;
    const SearchResult result = search_large_cases(*subject, Level::attention, {1, false}, options);
    ASSERT_TRUE(result.counterexample);
    const Verdict& verdict = result.counterexample->verdict;
    EXPECT_EQ(verdict.diagnosis, "output");
    EXPECT_EQ(verdict.place.slot, blind_slot);
    EXPECT_EQ(verdict.evidence->right.doubt, 0) << "what is wrong was found by fifty digits";
    const Property& some = *property_named("outputs_match_the_oracle");
    EXPECT_FALSE(check(some, *subject, result.counterexample->test_case).is_failure());
}

}  // namespace
}  // namespace kvcheck
