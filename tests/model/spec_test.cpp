// SPDX-License-Identifier: Apache-2.0
// What a spec may say, and that each field that says something else is named.
#include "model/types/spec.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "tests/model/refusal.hpp"

namespace kvcheck {
namespace {

Spec valid_layer_spec() {
    Spec spec;
    spec.level = Level::layer;
    spec.model_width = 4;
    return spec;
}

struct BadField {
    std::function<void(Spec&)> spoil;
    const char* refusal;
};

void expect_refusals(const Spec& good, const std::vector<BadField>& table) {
    EXPECT_NO_THROW(validate(good));
    for (const BadField& bad : table) {
        Spec spec = good;
        bad.spoil(spec);
        EXPECT_EQ(refusal_of([&] { validate(spec); }), bad.refusal);
    }
}

TEST(Spec, EveryExtentHasLimits) {
    expect_refusals(
        Spec{},
        {{[](Spec& s) { s.rows = 0; }, "spec.rows: found 0, expected an integer from 1 to 4096"},
         {[](Spec& s) { s.rows = Index{1} << 40; },
          "spec.rows: found 1099511627776, expected an integer from 1 to 4096"},
         {[](Spec& s) { s.query_heads = -1; },
          "spec.query_heads: found -1, expected an integer from 1 to 1048576"},
         {[](Spec& s) { s.kv_heads = 0; },
          "spec.kv_heads: found 0, expected an integer from 1 to 1048576"},
         {[](Spec& s) { s.key_width = 0; },
          "spec.key_width: found 0, expected an integer from 1 to 1048576"},
         {[](Spec& s) { s.value_width = extent_max + 1; },
          "spec.value_width: found 1048577, expected an integer from 1 to 1048576"},
         {[](Spec& s) { s.capacity = -1; },
          "spec.capacity: found -1, expected an integer from 1 to 1048576"},
         {[](Spec& s) { s.capacity = std::numeric_limits<Index>::max(); },
          "spec.capacity: found 9223372036854775807, expected an integer from 1 to 1048576"}});
}

TEST(Spec, HeadsMustGroupAndFit) {
    expect_refusals(Spec{},
                    {{[](Spec& s) {
                          s.query_heads = 6;
                          s.kv_heads = 4;
                      },
                      "spec.query_heads: found 6, expected a multiple of kv_heads, which is 4"},
                     {[](Spec& s) { s.kv_heads = 2; },
                      "spec.query_heads: found 1, expected a multiple of kv_heads, which is 2"},
                     {[](Spec& s) {
                          s.query_heads = 2;
                          s.key_width = extent_max;
                      },
                      "spec.query_heads: found 2, expected query_heads times the wider of "
                      "key_width and value_width at most 1048576"},
                     {[](Spec& s) {
                          s.query_heads = extent_max;
                          s.value_width = 2;
                      },
                      "spec.query_heads: found 1048576, expected query_heads times the wider of "
                      "key_width and value_width at most 1048576"}});
}

TEST(Spec, PairsThatAreTurnedFitIntoAHead) {
    Spec good;
    good.key_width = 5;
    good.rotary = Rotary::halves;
    good.rotary_width = 4;
    expect_refusals(
        good, {{[](Spec& s) { s.rotary_width = 3; },
                "spec.rotary_width: found 3, expected an even number up to key_width, which is 5"},
               {[](Spec& s) { s.rotary_width = 6; },
                "spec.rotary_width: found 6, expected an even number up to key_width, which is 5"},
               {[](Spec& s) { s.rotary_width.reset(); },
                "spec.rotary_width: found 5, expected an even number up to key_width, which is 5"},
               {[](Spec& s) { s.rotary_width = 0; },
                "spec.rotary_width: found 0, expected an integer from 1 to 1048576"},
               {[](Spec& s) { s.rotary = Rotary::none; },
                "spec.rotary_width: found 4, expected none without rotary positions"}});
}

TEST(Spec, ScaleIsAnyFiniteNumber) {
    for (const float scale : {0.0F, -1.0F, std::numeric_limits<float>::max()}) {
        Spec spec;
        spec.scale = scale;
        EXPECT_NO_THROW(validate(spec));
    }
    expect_refusals(Spec{}, {{[](Spec& s) { s.scale = NAN; },
                              "spec.scale: found nan, expected a finite number"},
                             {[](Spec& s) { s.scale = -INFINITY; },
                              "spec.scale: found -inf, expected a finite number"}});
}

TEST(Spec, AttentionLevelHasNothingOfALayer) {
    expect_refusals(
        Spec{},
        {{[](Spec& s) { s.model_width = 1; },
          "spec.model_width: found 1, expected 0 at attention level, which has no model width"},
         {[](Spec& s) { s.position_signal = PositionSignal::learned; },
          "spec.position_signal: found a table, expected \"none\" at attention level, where "
          "the caller adds positions"},
         {[](Spec& s) { s.biases = true; },
          "spec.biases: found true, expected false at attention level, which has no projections"}});
}

TEST(Spec, LayerLevelNeedsAModelWidth) {
    expect_refusals(valid_layer_spec(),
                    {{[](Spec& s) { s.model_width = 0; },
                      "spec.model_width: found 0, expected an integer from 1 to 1048576"},
                     {[](Spec& s) { s.model_width = extent_max + 1; },
                      "spec.model_width: found 1048577, expected an integer from 1 to 1048576"}});
}

TEST(Spec, TheLimitsThemselvesAreAllowed) {
    Spec spec;
    spec.query_heads = spec.kv_heads = spec.capacity = extent_max;
    spec.rows = 4;
    EXPECT_NO_THROW(validate(spec));
    spec.query_heads = spec.kv_heads = extent_max / 1024;
    spec.rows = rows_max;
    EXPECT_NO_THROW(validate(spec));
    spec.query_heads = spec.kv_heads = extent_max / 512;
    EXPECT_EQ(refusal_of([&] { validate(spec); }),
              "spec.rows: found 4096, expected rows times query_heads times the wider of key_width "
              "and value_width at most 4194304");
    spec = valid_layer_spec();
    spec.key_width = spec.value_width = spec.model_width = extent_max;
    EXPECT_NO_THROW(validate(spec));
}

TEST(Spec, ThePlaceOpensTheMessage) {
    Spec spec;
    spec.rows = 0;
    EXPECT_EQ(refusal_of([&] { validate(spec, "a.json.spec"); }),
              "a.json.spec.rows: found 0, expected an integer from 1 to 4096");
}

TEST(Spec, SizesFollowFromHeadsAndWidths) {
    Spec spec;
    spec.query_heads = 6;
    spec.kv_heads = 2;
    spec.key_width = 5;
    spec.value_width = 7;
    EXPECT_EQ(spec.query_size(), 30);
    EXPECT_EQ(spec.key_size(), 10);
    EXPECT_EQ(spec.value_size(), 14);
    EXPECT_EQ(spec.attended_size(), 42);
    EXPECT_EQ(spec.input_size(), 54);
    EXPECT_EQ(spec.output_size(), 42);
    spec.level = Level::layer;
    spec.model_width = 11;
    EXPECT_EQ(spec.input_size(), 11);
    EXPECT_EQ(spec.output_size(), 11);
}

}  // namespace
}  // namespace kvcheck
