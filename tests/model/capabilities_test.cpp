// SPDX-License-Identifier: Apache-2.0
// Features: their names, and sets of them.
#include "model/types/capabilities.hpp"

#include <gtest/gtest.h>

#include <iterator>
#include <set>
#include <sstream>

#include "impl/abi/kvcheck_plugin_help.h"
#include "model/case_file.hpp"
#include "model/types/feature_needs.hpp"

namespace kvcheck {
namespace {

TEST(Feature, EveryFeatureIsFoundByItsName) {
    std::set<std::string_view> names;
    for (std::size_t n = 0; n < feature_count; ++n) {
        const auto feature = Feature(n);
        EXPECT_FALSE(name_of(feature).empty()) << n;
        EXPECT_EQ(feature_named(name_of(feature)), feature) << name_of(feature);
        names.insert(name_of(feature));
    }
    EXPECT_EQ(names.size(), feature_count);
}

TEST(Feature, EveryNameIsSpelledAsInTheEnumeration) {
    const std::string text = read_text_file(KVCHECK_SOURCE "/model/types/feature_set.hpp");
    const std::size_t begin = text.find("enum class Feature : std::uint8_t {");
    ASSERT_NE(begin, std::string::npos);
    std::istringstream lines(text.substr(begin, text.find("};", begin) - begin));
    std::vector<std::string> spelled;
    std::string line;
    std::getline(lines, line);  // the head of the enumeration
    while (std::getline(lines, line)) {
        const std::string code = line.substr(0, line.find("//"));
        const std::size_t comma = code.find(',');
        const std::size_t word = code.find_first_not_of(' ');
        if (comma != std::string::npos) spelled.push_back(code.substr(word, comma - word));
    }
    ASSERT_EQ(spelled.size(), feature_count);
    for (std::size_t n = 0; n < feature_count; ++n) {
        EXPECT_EQ(name_of(Feature(n)), spelled[std::size_t(n)]);
    }
}

std::vector<std::string> unmet_of(const FeatureSet& declared) {
    std::vector<std::string> texts;
    for (const FeatureNeed& need : unmet_needs(declared)) texts.push_back(text_of(need));
    return texts;
}

TEST(FeatureNeeds, AreToldWhereNothingMeetsThem) {
    using Texts = std::vector<std::string>;
    EXPECT_EQ(unmet_of({}), Texts{});
    EXPECT_EQ(unmet_of(FeatureSet::all()), Texts{});
    EXPECT_EQ(unmet_of(FeatureSet::plain_attention()), Texts{});
    EXPECT_EQ(unmet_of({Feature::anchors}), Texts{"anchors needs window"});
    EXPECT_EQ(unmet_of({Feature::anchors, Feature::window}), Texts{});
    EXPECT_EQ(unmet_of({Feature::partial_rotary}),
              Texts{"partial_rotary needs rotary_halves or rotary_adjacent"});
    EXPECT_EQ(unmet_of({Feature::partial_rotary, Feature::rotary_adjacent}), Texts{});
    EXPECT_EQ(unmet_of({Feature::rotated_keys}),
              (Texts{"rotated_keys needs rotary_halves or rotary_adjacent",
                     "rotated_keys needs kv_export"}));
    EXPECT_EQ(unmet_of({Feature::rotated_keys, Feature::rotary_halves}),
              Texts{"rotated_keys needs kv_export"});
}

TEST(Feature, AnotherNameIsNoFeature) {
    for (const char* name : {"", "atten", "attention ", "Attention"}) {
        EXPECT_EQ(feature_named(name), std::nullopt) << name;
    }
}

TEST(Feature, TheMacroOfTheCInterfaceNamesPlainAttention) {
    std::istringstream text(KVCHECK_PLAIN_ATTENTION);
    const std::vector<std::string> words{std::istream_iterator<std::string>(text), {}};
    const FeatureSet features = features_of_list(
        words, [](const std::string& word) { ADD_FAILURE() << word << " is no feature"; });
    EXPECT_EQ(features, FeatureSet::plain_attention());
}

FeatureSet listed(const std::vector<std::string>& words) {
    return features_of_list(words, [](const std::string& word) { ADD_FAILURE() << word; });
}

TEST(FeatureList, TakesForGrantedWhatIsNotDenied) {
    // So lists that were written before there was a choice mean what they meant.
    EXPECT_EQ(listed({"attention"}), (FeatureSet{Feature::attention, Feature::validates}));
    EXPECT_EQ(listed({"layer"}),
              (FeatureSet{Feature::layer, Feature::validates, Feature::free_model_width}));
    EXPECT_EQ(listed({"attention", "trusts_callers"}), FeatureSet{Feature::attention});
    EXPECT_EQ(listed({"layer", "fixed_model_width"}),
              (FeatureSet{Feature::layer, Feature::validates}));
    EXPECT_EQ(listed({"attention", "validates"}), listed({"attention"}));
}

TEST(FeatureList, HoldsOneWayToGoOnAtTheCapacity) {
    EXPECT_EQ(contradiction_in(listed({"attention", "capacity_unbounded"})), "");
    EXPECT_EQ(contradiction_in(listed({"attention", "capacity_evicted"})), "");
    EXPECT_EQ(contradiction_in(listed({"capacity_evicted", "capacity_unbounded"})),
              "capacity_unbounded and capacity_evicted");
}

TEST(FeatureList, NamesWhatMeansNothing) {
    std::vector<std::string> unknown;
    features_of_list({"attention", "atention", "trusts", "layer"},
                     [&](const std::string& word) { unknown.push_back(word); });
    EXPECT_EQ(unknown, (std::vector<std::string>{"atention", "trusts"}));
}

TEST(FeatureList, ReadsBackAsTheSetItWasMadeOf) {
    for (const Feature left_out : FeatureSet::all().list()) {
        FeatureSet features = FeatureSet::all();
        features.remove(left_out);
        EXPECT_EQ(listed(list_of_features(features)), features) << name_of(left_out);
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
    EXPECT_EQ(FeatureSet::all().list().size(), feature_count);
    EXPECT_EQ(FeatureSet::all().without(FeatureSet::all()), FeatureSet{});
}

}  // namespace
}  // namespace kvcheck
