// SPDX-License-Identifier: Apache-2.0
// Which features a case asks of a subject: for each feature the smallest case that needs it, and
// that the plainest case needs nothing but its level.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "model/case.hpp"
#include "tests/model/build.hpp"

namespace kvcheck {
namespace {

std::string names_of(FeatureSet features) {
    std::string names;
    for (const Feature feature : features.list()) names += std::string(name_of(feature)) + " ";
    return names;
}

void expect_needs(const Case& test_case, FeatureSet beyond_attention) {
    beyond_attention.add(Feature::attention);
    EXPECT_EQ(names_of(features_of(test_case)), names_of(beyond_attention));
}

TEST(Features, ThePlainestCaseNeedsItsLevelOnly) {
    expect_needs(tiny_case(1, {tiny_append({"R"}), tiny_append({"R"})}), {});
    expect_needs(tiny_case(1, {}), {});
    Case layer = tiny_case(1, {});
    layer.spec.level = Level::layer;
    layer.spec.model_width = layer.spec.query_size();
    EXPECT_EQ(names_of(features_of(layer)), "layer ");
    ++layer.spec.model_width;
    EXPECT_EQ(names_of(features_of(layer)), "layer free_model_width ");
}

TEST(Features, TheSpecAsksForWhatItSays) {
    struct Need {
        std::function<void(Spec&)> change;
        Feature feature;
    };
    const std::vector<Need> table = {
        {[](Spec& s) { s.query_heads = 2; }, Feature::grouped_heads},
        {[](Spec& s) { s.value_width = 2; }, Feature::value_width},
        {[](Spec& s) { s.scale = 1.0F; }, Feature::custom_scale},
        {[](Spec& s) { s.softcap = 1.0F; }, Feature::softcap},
        {[](Spec& s) { s.window = 1; }, Feature::window},
        {[](Spec& s) { s.slopes = true; }, Feature::slopes},
        {[](Spec& s) { s.sinks = true; }, Feature::sinks},
        {[](Spec& s) { s.position_ids = PositionIds::visible_count; }, Feature::visible_count_ids},
        {[](Spec& s) { s.position_signal = PositionSignal::sinusoidal; },
         Feature::sinusoidal_positions},
        {[](Spec& s) { s.position_signal = PositionSignal::learned; }, Feature::learned_positions},
        {[](Spec& s) { s.biases = true; }, Feature::biases},
        {[](Spec& s) { s.padded_query = PaddedQuery::computed; }, Feature::padded_query_computed},
        {[](Spec& s) { s.rows = 2; }, Feature::batch},
    };
    for (const Need& need : table) {
        Case test_case = tiny_case(1, {});
        need.change(test_case.spec);
        expect_needs(test_case, {need.feature});
    }
}

TEST(Features, AScaleThatIsNotPositiveIsAFeatureOfItsOwn) {
    for (const float scale : {0.0F, -0.0F, -1.0F, -24.0F}) {
        Case test_case = tiny_case(1, {});
        test_case.spec.scale = scale;
        expect_needs(test_case, {Feature::custom_scale, Feature::any_scale});
    }
}

TEST(Features, AnchorsAskForTheWindowThatTheyOutlast) {
    Case test_case = tiny_case(1, {});
    test_case.spec.window = 2;
    test_case.spec.anchors = 1;
    expect_needs(test_case, {Feature::window, Feature::anchors});
}

TEST(Features, PaddingIsToldByItsPlace) {
    using F = Feature;
    const std::vector<std::pair<std::string, FeatureSet>> table = {
        {"PR", {F::padding_left}},
        {"RP", {F::padding_right}},
        {"RPR", {F::padding_holes}},
        {"PP", {F::padding_all}},
        {"PRPRP", {F::padding_left, F::padding_holes, F::padding_right}},
        {"", {F::empty_chunks}},
    };
    for (const auto& [row, features] : table) {
        SCOPED_TRACE(row);
        expect_needs(tiny_case(1, {tiny_append({row})}), features);
    }
    // The place is in the row's history, not in the call.
    expect_needs(tiny_case(1, {tiny_append({"R"}), tiny_append({"P"}), tiny_append({"R"})}),
                 {F::padding_holes});
}

TEST(Features, CallsAskForTheirShapes) {
    using F = Feature;
    expect_needs(tiny_case(2, {tiny_append({"R", ""})}), {F::batch, F::unequal_counts});
    expect_needs(tiny_case(2, {tiny_append({"", ""})}), {F::batch, F::empty_chunks});
    expect_needs(tiny_case(1, {tiny_append({"R"}), tiny_append({"RR"})}), {F::warm_chunks});
    expect_needs(tiny_case(2, {tiny_append({"R", ""}), tiny_append({"", "RR"})}),
                 {F::batch, F::unequal_counts});
    expect_needs(tiny_case(1, {tiny_append({"R"}, 1, std::vector<Index>{0})}), {F::query_offset});
}

TEST(Features, ACommandIsNeededAndExercisedOnceTokensFollow) {
    using F = Feature;
    const Case ends = tiny_case(1, {tiny_append({"R"}), Reset{}});
    expect_needs(ends, {F::reset});
    EXPECT_FALSE(exercised_by(ends).has(F::reset)) << "nobody looks at what it did";
    const Case goes_on = tiny_case(1, {tiny_append({"R"}), Reset{}, tiny_append({"RR"})});
    expect_needs(goes_on, {F::reset});
    EXPECT_TRUE(exercised_by(goes_on).has(F::reset));
    const Case grows = tiny_case(1, {tiny_append({"R"}), Reorder{{0, 0}}, tiny_append({"R", ""})});
    expect_needs(grows, {F::reorder, F::varying_rows, F::batch, F::unequal_counts});
}

TEST(Features, ADeadRowMattersWhereItsOutputIsComputed) {
    using F = Feature;
    Case test_case = tiny_case(1, {tiny_append({"PR"})});
    test_case.spec.dead_row = DeadRow::nan;
    expect_needs(test_case, {F::padding_left});
    test_case.spec.padded_query = PaddedQuery::computed;
    expect_needs(test_case, {F::padding_left, F::padded_query_computed, F::dead_row_nan});
    test_case.spec.dead_row = DeadRow::zeros;
    expect_needs(test_case, {F::padding_left, F::padded_query_computed, F::dead_row_zeros});
    test_case.spec.dead_row = DeadRow::unspecified;
    expect_needs(test_case, {F::padding_left, F::padded_query_computed});
    test_case.program = {tiny_append({"RP"})};
    test_case.spec.dead_row = DeadRow::zeros;
    expect_needs(test_case, {F::padding_right, F::padded_query_computed});
}

TEST(Features, PaddingThatIsNotFiniteIsToldApart) {
    for (const float number : {float(NAN), float(INFINITY)}) {
        Case test_case = tiny_case(1, {tiny_append({"RP"})});
        std::get<Append>(test_case.program[0]).rows[0][1].input[2] = number;
        expect_needs(test_case, {Feature::padding_right, Feature::masked_nonfinite});
    }
}

}  // namespace
}  // namespace kvcheck
