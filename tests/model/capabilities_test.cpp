// SPDX-License-Identifier: Apache-2.0
// Features: their names, and sets of them.
#include "model/types/capabilities.hpp"

#include <gtest/gtest.h>

#include <set>

namespace kvcheck {
namespace {

TEST(Feature, EveryFeatureIsFoundByItsName) {
    std::set<std::string_view> names;
    for (int n = 0; n < feature_count; ++n) {
        const auto feature = Feature(n);
        EXPECT_FALSE(name_of(feature).empty()) << n;
        EXPECT_EQ(feature_named(name_of(feature)), feature) << name_of(feature);
        names.insert(name_of(feature));
    }
    EXPECT_EQ(int(names.size()), feature_count);
}

TEST(Feature, TheEndsOfTheListAreSpelledAsInTheEnumeration) {
    EXPECT_EQ(name_of(Feature::attention), "attention");
    EXPECT_EQ(name_of(Feature::reset), "reset");
    EXPECT_EQ(name_of(Feature::query_offset), "query_offset");
    EXPECT_EQ(name_of(Feature::masked_nonfinite), "masked_nonfinite");
}

TEST(Feature, AnotherNameIsNoFeature) {
    for (const char* name : {"", "atten", "attention ", "Attention"}) {
        EXPECT_EQ(feature_named(name), std::nullopt) << name;
    }
}

TEST(FeatureSet, AddsAndRemoves) {
    FeatureSet set;
    EXPECT_TRUE(set.empty());
    set.add(Feature::masked_nonfinite);
    set.add(Feature::attention);
    EXPECT_TRUE(set.has(Feature::masked_nonfinite));
    EXPECT_FALSE(set.has(Feature::layer));
    EXPECT_EQ(set.list(), (std::vector<Feature>{Feature::attention, Feature::masked_nonfinite}));
    set.remove(Feature::attention);
    EXPECT_EQ(set, FeatureSet{Feature::masked_nonfinite});
}

TEST(FeatureSet, UnionsAndDifferences) {
    const FeatureSet left{Feature::layer, Feature::batch};
    const FeatureSet right{Feature::batch, Feature::reset};
    EXPECT_EQ(left | right, (FeatureSet{Feature::layer, Feature::batch, Feature::reset}));
    EXPECT_EQ(left.without(right), FeatureSet{Feature::layer});
    EXPECT_TRUE((left | right).has_all(left));
    EXPECT_FALSE(left.has_all(right));
    EXPECT_TRUE(left.has_all({}));
}

TEST(FeatureSet, AllIsEveryFeatureAndNoMore) {
    EXPECT_EQ(int(FeatureSet::all().list().size()), feature_count);
    EXPECT_EQ(FeatureSet::all().without(FeatureSet::all()), FeatureSet{});
}

}  // namespace
}  // namespace kvcheck
