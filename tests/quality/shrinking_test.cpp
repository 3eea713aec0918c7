// SPDX-License-Identifier: Apache-2.0
// The shrinker as a product: its steps are admissible and strictly simpler, it ends, shrinking
// twice changes nothing, and plain claims reach the numbers a person would have chosen.
#include <gtest/gtest.h>

#include "impl/mutants/catalogue.hpp"
#include "impl/plain/plain.hpp"
#include "model/case_file.hpp"
#include "model/types/error.hpp"
#include "properties/catalogue.hpp"
#include "properties/generators/structure.hpp"
#include "properties/generators/values.hpp"
#include "properties/search/search.hpp"
#include "properties/search/shrink.hpp"

namespace kvcheck {
namespace {

Case generated(std::uint64_t n) {
    Draw draw(SplitMix{n});
    const Level level = n % 2 == 0 ? Level::attention : Level::layer;
    Case value = draw_structure(draw, level, FeatureSet::all(), {});
    fill_values(value, {Family(n % std::uint64_t(family_count)), draw.bits()}, true);
    return value;
}

bool is_valid(const Case& value) {
    try {
        validate(value);
    } catch (const InputError&) {
        return false;
    }
    return true;
}

TEST(Shrinking, OffersMostlyAdmissibleCases) {
    long offered = 0;
    long admissible = 0;
    for (std::uint64_t n = 0; n < 60; ++n) {
        const auto value = std::make_shared<const Case>(generated(n));
        std::size_t index = 0;
        for (const Candidate& candidate : simpler_cases(value)) {
            if (++index % 7 != 0) continue;  // a sample of a long list
            const auto simpler = candidate();
            if (!simpler || *simpler == *value) continue;
            ++offered;
            admissible += is_valid(*simpler) ? 1 : 0;
        }
    }
    // A position table that became too short, or a query of a padded token: rare, and skipped.
    EXPECT_GT(admissible * 100, offered * 95);
}

TEST(Shrinking, WalksEndFromAnywhere) {
    // Accepting every step must reach an end: the order has no cycles.
    for (std::uint64_t n = 0; n < 40; ++n) {
        auto value = std::make_shared<const Case>(generated(n));
        int steps = 0;
        for (bool moved = true; moved && steps < 20000;) {
            moved = false;
            for (const Candidate& candidate : simpler_cases(value)) {
                auto simpler = candidate();
                if (!simpler || *simpler == *value || !is_valid(*simpler)) continue;
                value = std::make_shared<const Case>(std::move(*simpler));
                moved = true;
                ++steps;
                break;
            }
        }
        EXPECT_LT(steps, 20000) << "case " << n;
        EXPECT_TRUE(value->program.empty()) << to_text({*value, {}});
    }
}

TEST(Shrinking, TwiceChangesNothing) {
    for (const MutantEntry& entry : mutants()) {
        const auto mutant = entry.subject.make("mutant");
        const Property& property = *property_named(entry.caught_by);
        SearchOptions options;
        options.seed = 3;
        for (const Level level : {Level::attention, Level::layer}) {
            const SearchResult first = search(property, *mutant, level, options);
            if (!first.counterexample) continue;
            const Counterexample again = shrink(property, *mutant, first.counterexample->test_case,
                                                first.counterexample->verdict, options);
            EXPECT_EQ(to_text({again.test_case, {}}),
                      to_text({first.counterexample->test_case, {}}))
                << entry.subject.name;
            EXPECT_EQ(again.shrink_steps, 0);
        }
    }
}

TEST(Shrinking, PrefersTheNumbersOfThePlainList) {
    EXPECT_LT(rank_of(0.0F), rank_of(1.0F));
    EXPECT_LT(rank_of(1.0F), rank_of(-1.0F));
    EXPECT_LT(rank_of(-1.0F), rank_of(2.0F));
    EXPECT_LT(rank_of(2.0F), rank_of(0.5F));
    EXPECT_LT(rank_of(0.5F), rank_of(3.0F));
    EXPECT_LT(rank_of(3.0F), rank_of(0.25F));
    EXPECT_LT(rank_of(0.25F), rank_of(0.253F));
    EXPECT_LT(rank_of(0.253F), rank_of(0.2531234F));
}

/// Keys that lie a tile of 64 back are lost.
class LosesFarKeys final : public PlainRules {
    bool sees(const TokenPlace& query, Index key) const override {
        constexpr Index tile = 64;
        return key + tile > query.slot() && PlainRules::sees(query, key);
    }
};

TEST(Shrinking, LongRowsGetShortInFewTries) {
    const auto mutant = make_plain<float>("mutant", std::make_shared<LosesFarKeys>());
    Case start;
    start.spec.rows = 2;
    start.spec.capacity = 129;
    for (Index slot = 0; slot < start.spec.capacity; ++slot) {
        Append append;
        for (Index r = 0; r < start.spec.rows; ++r) {
            append.rows.push_back({{true, {0.25F, float(slot % 5), float(slot % 7) + 0.1F}}});
        }
        start.program.emplace_back(std::move(append));
    }
    SearchOptions options;
    options.shrink_time_max = std::chrono::minutes(5);
    options.shrink_steps_max = 100;  // one token at a time would take more than this
    const Counterexample found = shrink(*property_named("outputs_match_the_oracle"), *mutant, start,
                                        Verdict::failed("output", "a far key is lost"), options);
    const CaseSize least = {.rows = 1, .query_heads = 1, .tokens = 65, .commands = 1};
    EXPECT_EQ(size_of(found.test_case), least) << found.shrink_tried << " tries";
}

TEST(Shrinking, StopsWithinItsBudget) {
    const auto mutant = mutants()[0].subject.make("mutant");
    SearchOptions options;
    options.seed = 4;
    options.shrink_steps_max = 5;
    const SearchResult result =
        search(*property_named("outputs_match_the_oracle"), *mutant, Level::attention, options);
    ASSERT_TRUE(result.counterexample);
    EXPECT_LE(result.counterexample->shrink_tried, options.shrink_steps_max);
}

}  // namespace
}  // namespace kvcheck
