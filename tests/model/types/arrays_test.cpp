// SPDX-License-Identifier: Apache-2.0
// The lists of arrays at both levels against numbers worked by hand: extents, offsets, shapes, and
// which member of Parameters each name means.
#include "model/types/arrays.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace kvcheck {
namespace {

using testing::ElementsAre;

/// Every extent differs: H = 4, Hkv = 2, Dk = 3, Dv = 5, and at layer level D = 7.
Spec spec_of(Level level) {
    Spec spec;
    spec.level = level;
    spec.rows = 6;
    spec.query_heads = 4;
    spec.kv_heads = 2;
    spec.key_width = 3;
    spec.value_width = 5;
    if (level == Level::layer) spec.model_width = 7;
    return spec;
}

TEST(Arrays, AnAxisHasTheHeadsAndTheWidthOfItsKind) {
    const Spec spec = spec_of(Level::layer);
    const auto extents = [&](Axis axis) {
        const AxisExtent extent = extent_of(axis, spec);
        return std::vector<Index>{extent.heads, extent.width, extent.size()};
    };
    EXPECT_THAT(extents(Axis::query), ElementsAre(4, 3, 12));
    EXPECT_THAT(extents(Axis::key), ElementsAre(2, 3, 6));
    EXPECT_THAT(extents(Axis::value), ElementsAre(2, 5, 10));
    EXPECT_THAT(extents(Axis::attended), ElementsAre(4, 5, 20));
    EXPECT_THAT(extents(Axis::model), ElementsAre(1, 7, 7));
    EXPECT_THAT(extents(Axis::turned), ElementsAre(1, 0, 0));
}

/// "q 0 12": each input of a token and where it lies.
std::vector<std::string> inputs_of(const Spec& spec) {
    std::vector<std::string> inputs;
    for_each_input(spec, [&](const TokenArray& array, Index begin, Index end) {
        inputs.push_back(std::string(array.name) + " " + std::to_string(begin) + " " +
                         std::to_string(end));
    });
    return inputs;
}

TEST(Arrays, InputsLieInATokenOneAfterTheOther) {
    EXPECT_THAT(inputs_of(spec_of(Level::attention)), ElementsAre("q 0 12", "k 12 18", "v 18 28"));
    EXPECT_THAT(inputs_of(spec_of(Level::layer)), ElementsAre("x 0 7"));
}

TEST(Arrays, InputsAreAllThatATokenBrings) {
    for (const Level level : {Level::attention, Level::layer}) {
        const Spec spec = spec_of(level);
        Index last = 0;
        for_each_input(spec, [&](const TokenArray&, Index, Index end) { last = end; });
        EXPECT_EQ(last, spec.input_size());
        EXPECT_EQ(extent_of(output_array(level).axis, spec).size(), spec.output_size());
    }
}

std::vector<std::string> roles_of(const std::vector<TokenArray>& arrays) {
    std::vector<std::string> roles;
    for (const TokenArray& array : arrays) {
        roles.push_back(std::string(array.name) + ": " + std::string(name_of(array.role)));
    }
    return roles;
}

TEST(Arrays, OfACallAreItsInputsAndItsOutput) {
    EXPECT_THAT(roles_of(input_arrays(Level::attention)),
                ElementsAre("q: query", "k: key", "v: value"));
    EXPECT_THAT(roles_of(call_arrays(Level::attention)),
                ElementsAre("q: query", "k: key", "v: value", "output: output"));
    EXPECT_THAT(roles_of(input_arrays(Level::layer)), ElementsAre("x: x"));
    EXPECT_THAT(roles_of(call_arrays(Level::layer)), ElementsAre("x: x", "output: output"));
}

TEST(Arrays, EveryRoleOfACallIsBelowTheirNumber) {
    std::set<Role> roles;
    for (const Level level : {Level::attention, Level::layer}) {
        for (const TokenArray& array : call_arrays(level)) {
            EXPECT_LT(std::size_t(array.role), call_role_count) << array.name;
            roles.insert(array.role);
        }
    }
    EXPECT_EQ(roles.size(), call_role_count);
    EXPECT_EQ(name_of(Role::parameter), "parameter");
}

TEST(Arrays, OfACallHaveRowsTokensHeadsAndWidth) {
    const Spec spec = spec_of(Level::attention);
    std::vector<Shape> shapes;
    for (const TokenArray& array : call_arrays(Level::attention)) {
        shapes.push_back(call_shape(array, spec, 9));
    }
    EXPECT_THAT(shapes, ElementsAre(Shape{6, 9, 4, 3}, Shape{6, 9, 2, 3}, Shape{6, 9, 2, 5},
                                    Shape{6, 9, 4, 5}));
    for (const TokenArray& array : call_arrays(Level::layer)) {
        EXPECT_EQ(call_shape(array, spec_of(Level::layer), 9), (Shape{6, 9, 7})) << array.name;
    }
}

TEST(Arrays, OfOneTokenHaveHeadsAndWidth) {
    const Spec spec = spec_of(Level::attention);
    std::vector<std::vector<Index>> extents;
    for (const TokenArray& array : call_arrays(Level::attention)) {
        extents.push_back(token_extents(array, spec));
    }
    EXPECT_THAT(extents, ElementsAre(ElementsAre(4, 3), ElementsAre(2, 3), ElementsAre(2, 5),
                                     ElementsAre(4, 5)));
    for (const TokenArray& array : call_arrays(Level::layer)) {
        EXPECT_THAT(token_extents(array, spec_of(Level::layer)), ElementsAre(7)) << array.name;
    }
}

/// "query.weight 12x7" for each parameter that the spec has; the table has eleven rows.
std::vector<std::string> parameters_of(const Spec& spec) {
    std::vector<std::string> parameters;
    for (const ParameterArray& array : parameter_arrays()) {
        if (!array.exists(spec)) continue;
        std::string text;
        for (const Index extent : array.extents(spec, 11)) {
            text += (text.empty() ? " " : "x") + std::to_string(extent);
        }
        parameters.push_back(array.path() + text);
    }
    return parameters;
}

TEST(ParameterArrays, AreThoseThatTheSpecHasAtTheirExtents) {
    Spec spec = spec_of(Level::layer);
    EXPECT_THAT(parameters_of(spec), ElementsAre("query.weight 12x7", "key.weight 6x7",
                                                 "value.weight 10x7", "output.weight 7x20"));
    spec.biases = true;
    spec.position_signal = PositionSignal::sinusoidal;
    EXPECT_THAT(parameters_of(spec),
                ElementsAre("query.weight 12x7", "query.bias 12", "key.weight 6x7", "key.bias 6",
                            "value.weight 10x7", "value.bias 10", "output.weight 7x20",
                            "output.bias 7", "position_table 11x7"));
    spec.biases = false;
    spec.position_signal = PositionSignal::learned;
    EXPECT_THAT(parameters_of(spec),
                ElementsAre("query.weight 12x7", "key.weight 6x7", "value.weight 10x7",
                            "output.weight 7x20", "position_table 11x7"));
    EXPECT_THAT(parameters_of(spec_of(Level::attention)), ElementsAre());
    Spec turned = spec_of(Level::attention);
    turned.rotary = Rotary::adjacent;
    turned.rotary_width = 2;
    EXPECT_THAT(parameters_of(turned), ElementsAre("rotary_table 11x2"));
}

TEST(ParameterArrays, MeanTheMemberOfTheirName) {
    Parameters parameters;
    const std::vector<const std::vector<float>*> members = {
        &parameters.query.weight,  &parameters.query.bias,   &parameters.key.weight,
        &parameters.key.bias,      &parameters.value.weight, &parameters.value.bias,
        &parameters.output.weight, &parameters.output.bias,  &parameters.position_table,
        &parameters.slopes,        &parameters.sinks,        &parameters.rotary_table};
    std::vector<std::string> paths;
    std::vector<const std::vector<float>*> found;
    for (const ParameterArray& array : parameter_arrays()) {
        paths.push_back(array.path());
        found.push_back(&array.in(parameters));
        EXPECT_EQ(&array.in(std::as_const(parameters)), found.back());
    }
    EXPECT_EQ(found, members);
    EXPECT_THAT(paths, ElementsAre("query.weight", "query.bias", "key.weight", "key.bias",
                                   "value.weight", "value.bias", "output.weight", "output.bias",
                                   "position_table", "slopes", "sinks", "rotary_table"));
}

}  // namespace
}  // namespace kvcheck
