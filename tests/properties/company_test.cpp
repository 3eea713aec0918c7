// SPDX-License-Identifier: Apache-2.0
// What is run beside a case, and how much is asked of a subject: companions differ in one thing
// alone, and what is asked for is drawn, but equally for cases whose bits are compared.
#include <gtest/gtest.h>

#include <set>

#include "model/walk.hpp"
#include "properties/drive/asked.hpp"
#include "properties/drive/companions.hpp"
#include "properties/drive/variants.hpp"
#include "properties/generators/structure.hpp"
#include "properties/generators/values.hpp"

namespace kvcheck {
namespace {

Case company_case(std::uint64_t n, Level level) {
    Draw draw(SplitMix{n});
    Case drawn = draw_structure(draw, level, FeatureSet::all(), {});
    fill_values(drawn, {Family::bell, n}, true);
    return drawn;
}

std::vector<std::vector<Index>> counts_in(const Case& test_case) {
    std::vector<std::vector<Index>> counts;
    for_each_append(test_case, [&](Index, const Append& append, const CacheState&) {
        auto& call = counts.emplace_back();
        for (const auto& row : append.rows) call.push_back(Index(row.size()));
    });
    return counts;
}

std::vector<bool> validity_in(const Case& test_case) {
    std::vector<bool> real;
    for_each_token(test_case,
                   [&](const TokenSite&, const Token& token) { real.push_back(token.real); });
    return real;
}

TEST(Companions, DifferInOneThingAlone) {
    std::set<std::string_view> met;
    for (std::uint64_t n = 0; n < 60; ++n) {
        const Case own = company_case(n, n % 2 == 0 ? Level::attention : Level::layer);
        for (const Companion& companion : companions_of(own, FeatureSet::all())) {
            const Case& other = companion.test_case;
            const std::string_view what = companion.differs_in;
            met.insert(what);
            EXPECT_NO_THROW(validate(other)) << what;
            EXPECT_EQ(other.program.size(), own.program.size()) << what;
            if (what == "everything") continue;
            Spec spec = other.spec;
            if (what == "scale") spec.scale = own.spec.scale;
            EXPECT_TRUE(spec == own.spec) << what;
            EXPECT_EQ(other.spec.scale == own.spec.scale, what != "scale") << what;
            EXPECT_EQ(other.parameters == own.parameters, what != "parameters") << what;
            EXPECT_EQ(counts_in(other) == counts_in(own), what != "counts") << what;
            const bool validity = what.find("validity") != std::string_view::npos;
            if (what != "counts") {
                EXPECT_EQ(validity_in(other) == validity_in(own), !validity) << what;
            }
        }
    }
    EXPECT_EQ(met, (std::set<std::string_view>{"contents", "validity", "counts", "scale",
                                               "the validity of its first token", "parameters",
                                               "everything"}));
}

TEST(Companions, StayWithinTheFeaturesOfASubject) {
    FeatureSet allowed = FeatureSet::all();
    allowed.remove(Feature::custom_scale);
    allowed.remove(Feature::padding_all);
    allowed.remove(Feature::unequal_counts);
    allowed.remove(Feature::varying_rows);
    for (std::uint64_t n = 0; n < 60; ++n) {
        Draw draw(SplitMix{n});
        const FeatureSet focus = n % 2 == 0 ? FeatureSet{} : FeatureSet{Feature::reorder};
        const Case own = draw_structure(draw, Level::attention, allowed, focus);
        for (const Companion& companion : companions_of(own, allowed)) {
            EXPECT_TRUE(allowed.has_all(features_of(companion.test_case))) << companion.differs_in;
        }
    }
}

TEST(AskedFor, IsTheSameForCasesThatDifferInContents) {
    int with_weights = 0;
    int with_numbers = 0;
    int with_exports = 0;
    std::set<std::array<Layout, call_role_count>> layouts;
    for (std::uint64_t n = 0; n < 80; ++n) {
        const Case own = company_case(n, Level::attention);
        const DriveOptions options = asked_for(own);
        const DriveOptions again = asked_for(with_contents(own, 1, every_token));
        EXPECT_EQ(options.weights, again.weights);
        EXPECT_EQ(options.numbers_every_step, again.numbers_every_step);
        EXPECT_EQ(options.export_every_step, again.export_every_step);
        EXPECT_EQ(options.arrangement.layout, again.arrangement.layout);
        EXPECT_EQ(options.arrangement.offset, again.arrangement.offset);
        with_weights += options.weights ? 1 : 0;
        with_numbers += options.numbers_every_step ? 1 : 0;
        with_exports += options.export_every_step ? 1 : 0;
        layouts.insert(options.arrangement.layout);
    }
    // Each way is taken by some, and by not nearly all.
    for (const int count : {with_weights, with_numbers, with_exports}) {
        EXPECT_GT(count, 8);
        EXPECT_LT(count, 72);
    }
    EXPECT_GT(layouts.size(), 10U);
}

}  // namespace
}  // namespace kvcheck
