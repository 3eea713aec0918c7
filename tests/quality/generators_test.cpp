// SPDX-License-Identifier: Apache-2.0
// The generators as a product: every case is admissible and within what the subject can do, the
// required shares are met with room, every feature and family turns up, and equal seeds give equal
// streams.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "impl/catalogue.hpp"
#include "model/case_file.hpp"
#include "properties/catalogue.hpp"
#include "properties/generators/structure.hpp"
#include "properties/search/search.hpp"

namespace kvcheck {
namespace {

Case generated(std::uint64_t n, Level level, FeatureSet allowed, const FeatureSet& focus) {
    Draw draw(SplitMix{n});
    Case test_case = draw_structure(draw, level, allowed, focus);
    fill_values(test_case, {Family(draw.below(family_count)), draw.bits()},
                allowed.has(Feature::masked_nonfinite));
    return test_case;
}

TEST(Generators, MakeAdmissibleCasesOnly) {
    for (const Property& property : properties()) {
        for (std::uint64_t n = 0; n < 100; ++n) {
            const Level level = n % 2 == 0 ? Level::attention : Level::layer;
            EXPECT_NO_THROW(validate(generated(n, level, FeatureSet::all(), property.focus)));
        }
    }
}

TEST(Generators, StayWithinTheFeaturesOfASubject) {
    // Leave out each feature in turn, and many at once.
    const FeatureSet levels = {Feature::attention, Feature::layer};
    std::vector<FeatureSet> subjects = {levels};
    for (const Feature feature : FeatureSet::all().without(levels).list()) {
        FeatureSet fewer = FeatureSet::all();
        fewer.remove(feature);
        subjects.push_back(fewer);
    }
    Draw draw(SplitMix{5});
    for (int n = 0; n < 40; ++n) {
        FeatureSet some = levels;
        for (const Feature feature : FeatureSet::all().list()) {
            if (draw.percent(50)) some.add(feature);
        }
        subjects.push_back(some);
    }
    for (const FeatureSet& allowed : subjects) {
        for (std::uint64_t n = 0; n < 40; ++n) {
            const Level level = n % 2 == 0 ? Level::attention : Level::layer;
            for (const FeatureSet& focus :
                 {FeatureSet{}, FeatureSet::paddings() | FeatureSet{Feature::padded_query_computed},
                  FeatureSet{Feature::batch, Feature::unequal_counts}}) {
                const Case test_case = generated(n, level, allowed, focus);
                EXPECT_EQ(names_of(features_of(test_case).without(allowed), " "), "")
                    << to_text({test_case, {}});
                EXPECT_NO_THROW(validate(test_case));
            }
        }
    }
}

TEST(Generators, MeetTheRequiredSharesWithRoom) {
    const auto subject = built_in_subjects()[0].make("plain");
    Coverage total;
    for (const Level level : {Level::attention, Level::layer}) {
        SearchOptions options;
        options.cases = 1000;
        options.seed = 11;
        total.add(
            search(*property_named("same_call_same_bits"), *subject, level, options).coverage);
    }
    ASSERT_EQ(total.cases, 2000);
    EXPECT_GT(total.unequal_padding * 100, total.cases * 45);
    EXPECT_GT(total.warm_chunk * 100, total.cases * 45);
    EXPECT_GT(total.two_kv_heads * 100, total.cases * 35);
    EXPECT_GT(total.long_rows * 100, total.cases * 23);
    EXPECT_GT(total.longer_rows * 100, total.cases * 1);
    EXPECT_GT(total.wide * 100, total.cases * 1);
    EXPECT_GT(total.not_uniform * 100, total.cases * 60);
    for (Index family = 0; family < family_count; ++family) {
        EXPECT_GT(total.families[std::size_t(family)], 0) << name_of(Family(family));
    }
    // What a case can contain; the rest of the features are for properties to exercise.
    const FeatureSet others = {
        Feature::weights,       Feature::log_sum_exp,        Feature::kv_export,
        Feature::poison_unused, Feature::repeatable,         Feature::batch_invariant,
        Feature::validates,     Feature::capacity_unbounded, Feature::capacity_evicted,
        Feature::rotated_keys,  Feature::weak_prefix_hash,   Feature::cross,
        Feature::admission};
    for (const Feature feature : FeatureSet::all().without(others).list()) {
        EXPECT_TRUE(total.features.has(feature)) << name_of(feature);
    }
}

TEST(Generators, RepeatTheirStreamForTheSameSeed) {
    const auto subject = built_in_subjects()[0].make("plain");
    const Property& property = *property_named("same_call_same_bits");
    const auto stream = [&](std::uint64_t seed) {
        SearchOptions options;
        options.cases = 40;
        options.seed = seed;
        return search(property, *subject, Level::layer, options).stream_hash;
    };
    EXPECT_EQ(stream(1), stream(1));
    EXPECT_NE(stream(1), stream(2));
}

}  // namespace
}  // namespace kvcheck
