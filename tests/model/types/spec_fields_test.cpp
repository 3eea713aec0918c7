// SPDX-License-Identifier: Apache-2.0
// The table of Spec's fields: each row belongs to the field of its name, travels through JSON, asks
// for its own features, and has simpler values that come to an end where it is a convention.
#include "model/types/spec_fields.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <set>

#include "model/types/json.hpp"

namespace kvcheck {
namespace {

using testing::ElementsAre;

/// A layer in which every field may be changed alone.
Spec base() {
    Spec spec;
    spec.level = Level::layer;
    spec.rows = 2;
    spec.query_heads = 6;
    spec.kv_heads = 2;
    spec.key_width = 3;
    spec.value_width = 3;
    spec.model_width = 4;
    spec.capacity = 5;
    spec.window = 4;  // without which there are no anchors
    return spec;
}

struct Change {
    std::string_view field;
    std::function<void(Spec& spec)> make;
    FeatureSet needs;  // of that field, after the change
};

/// Every field at least once, every enumerator that base() has not.
std::vector<Change> changes() {
    using F = Feature;
    return {
        // The other fields that a level has are left at their defaults.
        {"level", [](Spec& s) { s.level = Level::attention, s.model_width = 0; }, {F::attention}},
        {"rows", [](Spec& s) { s.rows = 1; }, {}},
        {"rows", [](Spec& s) { s.rows = rows_max; }, {F::batch}},
        {"query_heads", [](Spec& s) { s.query_heads = 8; }, {}},
        {"kv_heads", [](Spec& s) { s.kv_heads = 6; }, {}},
        {"kv_heads", [](Spec& s) { s.kv_heads = 3; }, {F::grouped_heads}},
        {"key_width", [](Spec& s) { s.key_width = 1; }, {}},
        {"value_width", [](Spec& s) { s.value_width = 7; }, {F::value_width}},
        {"model_width", [](Spec& s) { s.model_width = 9; }, {}},
        {"capacity", [](Spec& s) { s.capacity = extent_max; }, {}},
        {"scale", [](Spec& s) { s.scale = 0.1F; }, {F::custom_scale}},
        {"scale", [](Spec& s) { s.scale = -0x1p-149F; }, {F::custom_scale}},
        {"softcap", [](Spec& s) { s.softcap = 0.1F; }, {F::softcap}},
        {"window", [](Spec& s) { s.window = 2; }, {F::window}},
        {"anchors", [](Spec& s) { s.anchors = 2; }, {F::anchors}},
        {"slopes", [](Spec& s) { s.slopes = true; }, {F::slopes}},
        {"sinks", [](Spec& s) { s.sinks = true; }, {F::sinks}},
        {"position_signal",
         [](Spec& s) { s.position_signal = PositionSignal::sinusoidal; },
         {F::sinusoidal_positions}},
        {"position_signal",
         [](Spec& s) { s.position_signal = PositionSignal::learned; },
         {F::learned_positions}},
        {"position_ids",
         [](Spec& s) { s.position_ids = PositionIds::visible_count; },
         {F::visible_count_ids}},
        {"padded_query",
         [](Spec& s) { s.padded_query = PaddedQuery::computed; },
         {F::padded_query_computed}},
        {"dead_row", [](Spec& s) { s.dead_row = DeadRow::nan; }, {}},
        {"dead_row", [](Spec& s) { s.dead_row = DeadRow::unspecified; }, {}},
        {"biases", [](Spec& s) { s.biases = true; }, {F::biases}},
        {"rotary", [](Spec& s) { s.key_width = 4, s.rotary = Rotary::halves; }, {F::rotary_halves}},
        {"rotary",
         [](Spec& s) { s.key_width = 4, s.rotary = Rotary::adjacent; },
         {F::rotary_adjacent}},
        {"rotary_width",
         [](Spec& s) { s.rotary = Rotary::halves, s.rotary_width = 2; },
         {F::partial_rotary}},
        {"storage", [](Spec& s) { s.storage = Storage::bf16; }, {F::bf16_storage}},
        {"storage", [](Spec& s) { s.storage = Storage::fp16; }, {F::fp16_storage}},
        {"storage", [](Spec& s) { s.storage = Storage::int8; }, {F::int8_storage}},
    };
}

/// The names of the fields in which two specs differ.
std::vector<std::string> differences(const Spec& a, const Spec& b) {
    std::vector<std::string> names;
    for_each_field(a, [&](const SpecField& field, const auto& value) {
        for_each_field(b, [&](const SpecField& other, const auto& other_value) {
            if constexpr (std::is_same_v<decltype(value), decltype(other_value)>) {
                if (&field == &other && value != other_value) names.emplace_back(field.name);
            }
        });
    });
    return names;
}

TEST(SpecFields, EachRowBelongsToTheFieldOfItsName) {
    std::set<std::string_view> met;
    for (const Change& change : changes()) {
        Spec spec = base();
        change.make(spec);
        met.insert(change.field);
        if (change.field == "level") {
            EXPECT_THAT(differences(base(), spec), ElementsAre("level", "model_width"));
        } else if (change.field == "rotary") {
            // Pairs need an even width.
            EXPECT_THAT(differences(base(), spec), ElementsAre("key_width", "rotary"));
        } else if (change.field == "rotary_width") {
            EXPECT_THAT(differences(base(), spec), ElementsAre("rotary", "rotary_width"));
        } else {
            EXPECT_THAT(differences(base(), spec), ElementsAre(change.field));
        }
    }
    for (const SpecField& field : spec_fields) {
        EXPECT_TRUE(met.count(field.name)) << "this file changes no " << field.name;
    }
}

TEST(SpecFields, EveryFieldTravelsThroughJson) {
    std::vector<Spec> specs = {base()};
    for (const Change& change : changes()) {
        specs.push_back(base());
        change.make(specs.back());
    }
    for (const Spec& spec : specs) {
        for (const Decimals decimals : {Decimals::shortest, Decimals::exact}) {
            const Json json = Json::parse(to_json(spec, decimals).dump());
            EXPECT_EQ(spec_from_json({json, "spec"}), spec) << json;
        }
    }
}

TEST(SpecFields, AreWrittenWhereTheyMeanSomething) {
    const auto names = [](const Spec& spec) {
        std::vector<std::string> list;
        const Json json = to_json(spec);
        for (const auto& [name, value] : json.items()) list.push_back(name);
        return list;
    };
    EXPECT_THAT(names(Spec{}), ElementsAre("level", "rows", "query_heads", "kv_heads", "key_width",
                                           "value_width", "capacity", "position_signal",
                                           "position_ids", "padded_query", "dead_row"));
    Spec layer = base();
    layer.scale = 2;
    EXPECT_THAT(names(layer),
                ElementsAre("level", "rows", "query_heads", "kv_heads", "key_width", "value_width",
                            "model_width", "capacity", "scale", "window", "position_signal",
                            "position_ids", "padded_query", "dead_row", "biases"));
}

TEST(SpecFields, EachAsksForItsOwnFeatures) {
    for (const Change& change : changes()) {
        Spec spec = base();
        change.make(spec);
        for (const SpecField& field : spec_fields) {
            if (field.name != change.field) continue;
            EXPECT_TRUE(field.needs(spec).has_all(change.needs)) << field.name;
        }
        EXPECT_TRUE(needed_by(spec).has_all(change.needs)) << change.field;
    }
}

TEST(SpecFields, ASpecNeedsWhatItsFieldsNeedTogether) {
    EXPECT_EQ(needed_by(Spec{}), FeatureSet{Feature::attention});
    EXPECT_EQ(needed_by(base()), (FeatureSet{Feature::layer, Feature::batch, Feature::grouped_heads,
                                             Feature::free_model_width, Feature::window}));
}

TEST(SpecFields, ConventionsAreTheFieldsThatAreNoSize) {
    std::vector<std::string_view> conventions;
    const Spec spec;
    for_each_field(spec, [&](const SpecField& field, const auto& value) {
        if (is_convention<std::remove_cvref_t<decltype(value)>>) conventions.push_back(field.name);
    });
    EXPECT_THAT(conventions,
                ElementsAre("scale", "softcap", "window", "anchors", "slopes", "sinks",
                            "position_signal", "position_ids", "padded_query", "dead_row", "biases",
                            "rotary", "rotary_width", "storage"));
}

TEST(SimplerValues, AreTheseInThisOrder) {
    using Signal = PositionSignal;
    EXPECT_THAT(simpler_values(true), ElementsAre(false));
    EXPECT_THAT(simpler_values(false), ElementsAre());
    EXPECT_THAT(simpler_values(std::optional(2.0F)), ElementsAre(std::nullopt));
    EXPECT_THAT(simpler_values(std::optional<float>()), ElementsAre());
    EXPECT_THAT(simpler_values(Signal::sinusoidal), ElementsAre(Signal::none, Signal::learned));
    EXPECT_THAT(simpler_values(Signal::learned), ElementsAre(Signal::none));
    EXPECT_THAT(simpler_values(Signal::none), ElementsAre());
    EXPECT_THAT(simpler_values(PositionIds::visible_count), ElementsAre(PositionIds::slot));
    EXPECT_THAT(simpler_values(PaddedQuery::computed), ElementsAre(PaddedQuery::unspecified));
    EXPECT_THAT(simpler_values(DeadRow::unspecified), ElementsAre(DeadRow::zeros, DeadRow::nan));
    EXPECT_THAT(simpler_values(DeadRow::zeros), ElementsAre());
}

/// Steps to the end of the longest chain of simpler values; more than `most` is told as `most`.
template <class Value>
int longest_chain(const Value& value, int most) {
    int longest = 0;
    if (most == 0) return 0;
    // A copy: elements of vector<bool> are no references.
    for (const Value simpler : simpler_values(value)) {
        longest = std::max(longest, 1 + longest_chain(simpler, most - 1));
    }
    return longest;
}

TEST(SimplerValues, ComeToAnEndFromEveryValueOfEveryConvention) {
    constexpr int most = 10;
    int conventions = 0;
    for (const Change& change : changes()) {
        Spec spec = base();
        change.make(spec);
        for_each_field(spec, [&](const SpecField& field, const auto& value) {
            if constexpr (is_convention<std::remove_cvref_t<decltype(value)>>) {
                EXPECT_LT(longest_chain(value, most), most) << field.name;
                conventions += field.name == change.field ? 1 : 0;
                if (field.name != change.field) return;
                EXPECT_FALSE(simpler_values(value).empty()) << field.name;
            }
        });
    }
    EXPECT_EQ(conventions, 20) << "every change of a convention above";
}

}  // namespace
}  // namespace kvcheck
