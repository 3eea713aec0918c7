// SPDX-License-Identifier: Apache-2.0
// Does the reach of the generators hold? Every fault beyond a small case is caught by the cases of
// one property at one level, on every one of twenty seeds, and fails again on the case alone. The
// scheduled cases run first here: those that they catch need no luck.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "properties/catalogue.hpp"
#include "properties/drive/sentence.hpp"
#include "properties/extreme_cases.hpp"
#include "tests/properties/reach_faults.hpp"
#include "tests/share.hpp"

namespace kvcheck {
namespace {

std::uint64_t reach_seeds() { return std::uint64_t(share_of(20)); }

SearchOptions without_shrinking(std::uint64_t seed) {
    SearchOptions options;
    options.seed = seed;
    options.shrink_work_max = 0;
    return options;
}

class Reach : public testing::TestWithParam<Fault> {};

TEST_P(Reach, CatchesTheFaultOnEverySeed) {
    const Property& property = *property_named(GetParam().property);
    Index last = 0;
    int by_schedule = 0;
    for (std::uint64_t seed = 0; seed < reach_seeds(); ++seed) {
        const SearchOptions options = without_shrinking(seed);
        const auto subject = tampered(GetParam().make());
        SearchResult result = search_extremes(property, *subject, Level::attention, options);
        by_schedule += result.counterexample ? 1 : 0;
        if (!result.counterexample) {
            SearchOptions random = options;
            random.cases = options.cases - Index(extremes().size());
            const Index tried = result.coverage.cases;
            result = search(property, *subject, Level::attention, random);
            if (result.counterexample) result.counterexample->found_at += tried;
        }
        ASSERT_TRUE(result.counterexample) << "seed " << seed;
        last = std::max(last, result.counterexample->found_at);
        const auto fresh = tampered(GetParam().make());
        EXPECT_TRUE(check(property, *fresh, result.counterexample->test_case).is_failure())
            << "seed " << seed << ": " << sentence_of(result.counterexample->verdict);
    }
    fmt::print("  {}: caught within {} cases on {} of {} seeds, by scheduled ones on {}\n",
               GetParam().name, last, reach_seeds(), reach_seeds(), by_schedule);
}

INSTANTIATE_TEST_SUITE_P(EveryFault, Reach, testing::ValuesIn(reach_faults()),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Extremes, AreWhatTheySayForEveryPropertyAndSeed) {
    for (const Property& property : properties()) {
        for (const Level level : {Level::attention, Level::layer}) {
            for (std::uint64_t n = 0; n < 4; ++n) {
                for (const Extreme& extreme : extremes()) {
                    Draw draw(SplitMix{n});
                    const Case drawn =
                        draw_extreme(draw, level, FeatureSet::all(), property.focus, extreme)
                            .test_case;
                    SCOPED_TRACE(std::string(extreme.what));
                    EXPECT_NO_THROW(validate(drawn));
                    const Index longest = longest_row(drawn);
                    switch (extreme.kind) {
                        case Extreme::Kind::rows:
                            EXPECT_EQ(drawn.spec.rows, extreme.extent);
                            break;
                        case Extreme::Kind::width:
                            EXPECT_EQ(std::max(drawn.spec.key_width == extreme.extent,
                                               drawn.spec.value_width == extreme.extent),
                                      true);
                            break;
                        case Extreme::Kind::single_calls:
                            EXPECT_GE(Index(drawn.program.size()), extreme.extent);
                            break;
                        case Extreme::Kind::keys:
                        case Extreme::Kind::exact_tile:
                        case Extreme::Kind::query_tile:
                            EXPECT_EQ(longest, extreme.extent);
                            break;
                        case Extreme::Kind::hidden_tile:
                            EXPECT_GT(longest, extreme.extent);
                            break;
                        case Extreme::Kind::scale:
                            EXPECT_EQ(drawn.spec.scale, float(extreme.extent));
                            break;
                        case Extreme::Kind::heads:
                        case Extreme::Kind::scores:
                            break;
                    }
                }
            }
        }
    }
}

TEST(Extremes, StayWithinTheFeaturesOfASubject) {
    Draw chance(SplitMix{6});
    for (int n = 0; n < 60; ++n) {
        FeatureSet allowed = {Feature::attention, Feature::layer};
        for (const Feature feature : FeatureSet::all().list()) {
            if (chance.percent(50)) allowed.add(feature);
        }
        for (const Extreme& extreme : extremes()) {
            if (!allowed.has_all(extreme.needs)) continue;
            const Level level = n % 2 == 0 ? Level::attention : Level::layer;
            Draw draw(SplitMix{std::uint64_t(n)});
            const Case drawn =
                draw_extreme(draw, level, allowed, FeatureSet::paddings(), extreme).test_case;
            EXPECT_EQ(names_of(features_of(drawn).without(allowed), " "), "") << extreme.what;
            EXPECT_NO_THROW(validate(drawn));
        }
    }
}

TEST(Extremes, AreAllTriedFrom200CasesOnAndFewerBelow) {
    const Property& property = properties().front();
    SearchOptions options;
    EXPECT_EQ(scheduled(property, Level::attention, options).size(), extremes().size());
    options.cases = 30;
    EXPECT_LE(scheduled(property, Level::attention, options).size(), 3U);
    options.cases = 1;
    EXPECT_EQ(scheduled(property, Level::attention, options).size(), 1U);
}

}  // namespace
}  // namespace kvcheck
