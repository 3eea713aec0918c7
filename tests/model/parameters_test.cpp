// SPDX-License-Identifier: Apache-2.0
// Sizes and values of a layer's parameters, and the arithmetic a subject may declare.
#include "model/types/parameters.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "model/types/numeric_profile.hpp"
#include "tests/model/build.hpp"
#include "tests/model/refusal.hpp"

namespace kvcheck {
namespace {

// Every size differs: D = 2, H*Dk = 12, Hkv*Dk = 6, Hkv*Dv = 10, H*Dv = 20.
Spec layer_spec() {
    Spec spec;
    spec.level = Level::layer;
    spec.query_heads = 4;
    spec.kv_heads = 2;
    spec.key_width = 3;
    spec.value_width = 5;
    spec.model_width = 2;
    spec.position_signal = PositionSignal::learned;
    spec.biases = true;
    return spec;
}

Parameters layer_parameters() {
    const auto zeros = [](std::size_t size) { return std::vector<float>(size, 0.0F); };
    return layer_parameters_of({zeros(24), zeros(12)}, {zeros(12), zeros(6)},
                               {zeros(20), zeros(10)}, {zeros(40), zeros(2)}, zeros(6));
}

struct BadValue {
    std::function<void(Parameters&)> spoil;
    const char* refusal;
};

TEST(Parameters, EveryPartIsNamedThatIsNotAsTheSpecSays) {
    const std::vector<BadValue> table = {
        {[](Parameters& p) { p.query.weight.pop_back(); },
         "parameters.query.weight: found 23 values, expected 24, as the spec says"},
        {[](Parameters& p) { p.query.bias.clear(); },
         "parameters.query.bias: found 0 values, expected 12, as the spec says"},
        {[](Parameters& p) { p.key.weight.push_back(0); },
         "parameters.key.weight: found 13 values, expected 12, as the spec says"},
        {[](Parameters& p) { p.key.bias.push_back(0); },
         "parameters.key.bias: found 7 values, expected 6, as the spec says"},
        {[](Parameters& p) { p.value.weight.clear(); },
         "parameters.value.weight: found 0 values, expected 20, as the spec says"},
        {[](Parameters& p) { p.value.bias.pop_back(); },
         "parameters.value.bias: found 9 values, expected 10, as the spec says"},
        {[](Parameters& p) { p.output.weight.pop_back(); },
         "parameters.output.weight: found 39 values, expected 40, as the spec says"},
        {[](Parameters& p) { p.output.bias.pop_back(); },
         "parameters.output.bias: found 1 values, expected 2, as the spec says"},
        {[](Parameters& p) { p.position_table.pop_back(); },
         "parameters.position_table: found 5 values, expected 4, as the spec says"},
        {[](Parameters& p) { p.query.weight[23] = NAN; },
         "parameters.query.weight[11][1]: found nan, expected finite numbers"},
        {[](Parameters& p) { p.output.bias[1] = INFINITY; },
         "parameters.output.bias[1]: found inf, expected finite numbers"},
        {[](Parameters& p) { p.position_table[5] = -INFINITY; },
         "parameters.position_table[2][1]: found -inf, expected finite numbers"},
    };
    EXPECT_NO_THROW(validate(layer_spec(), layer_parameters()));
    for (const BadValue& bad : table) {
        Parameters parameters = layer_parameters();
        bad.spoil(parameters);
        EXPECT_EQ(refusal_of([&] { validate(layer_spec(), parameters); }), bad.refusal);
    }
}

TEST(Parameters, BothTablesHaveEquallyManyRows) {
    Spec spec = layer_spec();
    spec.rotary = Rotary::halves;
    spec.rotary_width = 2;
    Parameters parameters = layer_parameters();  // three positions
    parameters.rotary_table = std::vector<float>(6, 0.5F);
    EXPECT_NO_THROW(validate(spec, parameters));
    parameters.rotary_table.resize(4);
    EXPECT_EQ(refusal_of([&] { validate(spec, parameters); }),
              "parameters.rotary_table: found 4 values, expected 6, as the spec says");
}

TEST(Parameters, ARotaryTableStandsAtAttentionLevelToo) {
    Spec spec;
    spec.key_width = 2;
    spec.rotary = Rotary::adjacent;
    Parameters parameters = zero_parameters(spec, 3);
    EXPECT_EQ(parameters.rotary_table.size(), 6U);
    EXPECT_EQ(position_count(spec, parameters), 3);
    EXPECT_NO_THROW(validate(spec, parameters));
    parameters.rotary_table.pop_back();
    EXPECT_EQ(refusal_of([&] { validate(spec, parameters); }),
              "parameters.rotary_table: found 5 values, expected 4, as the spec says");
}

TEST(Parameters, WithoutBiasesThereIsNoBias) {
    Spec spec = layer_spec();
    spec.biases = false;
    EXPECT_EQ(refusal_of([&] { validate(spec, layer_parameters()); }),
              "parameters.query.bias: found 12 values, expected 0, as the spec says");
}

TEST(Parameters, WithoutAPositionSignalThereIsNoTable) {
    Spec spec = layer_spec();
    spec.position_signal = PositionSignal::none;
    EXPECT_EQ(refusal_of([&] { validate(spec, layer_parameters()); }),
              "parameters.position_table: found 6 values, expected 0, as the spec says");
}

TEST(Parameters, AttentionLevelHasNone) {
    EXPECT_NO_THROW(validate(Spec{}, Parameters{}));
    EXPECT_EQ(refusal_of([&] { validate(Spec{}, layer_parameters(), "p"); }),
              "p.query.weight: found 24 values, expected 0, as the spec says");
}

TEST(Parameters, PositionsAreTheRowsOfTheTable) {
    EXPECT_EQ(position_count(layer_spec(), layer_parameters()), 3);
    EXPECT_EQ(position_count(Spec{}, Parameters{}), 0);
}

TEST(NumericProfile, EveryDeclarationHasLimits) {
    struct BadDeclaration {
        std::function<void(NumericProfile&)> spoil;
        const char* field;
    };
    const std::vector<BadDeclaration> table = {
        {[](NumericProfile& p) { p.digits = 11; }, "profile.digits: found 11, expected 24 or 53"},
        {[](NumericProfile& p) { p.exp_ulps = -1; }, "profile.exp_ulps: found -1"},
        {[](NumericProfile& p) { p.log_ulps = NAN; }, "profile.log_ulps: found nan"},
        {[](NumericProfile& p) { p.divide_ulps = 1e9; }, "profile.divide_ulps: found 1000000000"},
        {[](NumericProfile& p) { p.scale_roundings = -1; }, "profile.scale_roundings: found -1"},
        {[](NumericProfile& p) { p.difference_roundings = 2000; },
         "profile.difference_roundings: found 2000"},
        {[](NumericProfile& p) { p.shift_roundings = -3; }, "profile.shift_roundings: found -3"},
        {[](NumericProfile& p) { p.rescale_block = -1; }, "profile.rescale_block: found -1"},
        {[](NumericProfile& p) { p.merge_levels = -1; }, "profile.merge_levels: found -1"},
        {[](NumericProfile& p) { p.reference_slack = 0; }, "profile.reference_slack: found 0"},
        {[](NumericProfile& p) { p.score_input_error = 1; }, "profile.score_input_error: found 1"},
        {[](NumericProfile& p) { p.weight_error = INFINITY; }, "profile.weight_error: found inf"},
        {[](NumericProfile& p) { p.position_table_error = -1; },
         "profile.position_table_error: found -1"},
    };
    EXPECT_NO_THROW(validate(NumericProfile{}, "profile"));
    EXPECT_NO_THROW(validate(profile_of_digits(53), "profile"));
    for (const BadDeclaration& bad : table) {
        NumericProfile profile;
        bad.spoil(profile);
        const std::string refusal = refusal_of([&] { validate(profile, "profile"); });
        EXPECT_EQ(refusal.rfind(bad.field, 0), 0U) << refusal;
        EXPECT_TRUE(reads_well(refusal, "profile.")) << refusal;
    }
}

}  // namespace
}  // namespace kvcheck
