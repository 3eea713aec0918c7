// SPDX-License-Identifier: Apache-2.0
// Rotary positions by hand: the examples of docs/contract.md, partial width, several heads, the row
// of the id, and what becomes of the table when fewer or more pairs are turned.
#include "model/rotary.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/attention.hpp"
#include "tests/model/documents.hpp"

namespace kvcheck {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Spec spec_of(Rotary rotary, Index key_width) {
    Spec spec;
    spec.rotary = rotary;
    spec.key_width = key_width;
    return spec;
}

const std::vector<double> one_to_four = {1, 2, 3, 4};

TEST(Rotation, TurnsThePairsOfTheContract) {
    Parameters parameters;
    parameters.rotary_table = {0, 1, 1, 0};  // a right angle, and none
    EXPECT_THAT(rotated(spec_of(Rotary::halves, 4), parameters, one_to_four, 0),
                ElementsAre(-3, 2, 1, 4));
    EXPECT_THAT(rotated(spec_of(Rotary::adjacent, 4), parameters, one_to_four, 0),
                ElementsAre(-2, 1, 3, 4));
    EXPECT_THAT(document("contract.md"), HasSubstr("halves      -3  2  1  4 "));
    EXPECT_THAT(document("contract.md"), HasSubstr("adjacent    -2  1  3  4 "));
}

TEST(Rotation, ReadsTheRowOfTheIdAndTurnsEveryHeadAlike) {
    Parameters parameters;
    parameters.rotary_table = {1, 0, 0.5F, 2};
    const std::vector<double> heads = {1, 0, 0, 1, 3, 5};
    EXPECT_EQ(rotated(spec_of(Rotary::halves, 2), parameters, heads, 0), heads);
    // (a, b) becomes (a / 2 - 2 b, b / 2 + 2 a).
    EXPECT_THAT(rotated(spec_of(Rotary::adjacent, 2), parameters, heads, 1),
                ElementsAre(0.5, 2, -2, 0.5, -8.5, 8.5));
}

TEST(Rotation, LeavesTheElementsBehindItsWidth) {
    Spec spec = spec_of(Rotary::halves, 5);
    spec.rotary_width = 4;
    Parameters parameters;
    parameters.rotary_table = {0, 0, 1, 1};
    EXPECT_THAT(rotated<double>(spec, parameters, {1, 2, 3, 4, 5}, 0),
                ElementsAre(-3, -4, 1, 2, 5));
    spec.rotary_width = 2;
    parameters.rotary_table = {0, 1};
    EXPECT_THAT(rotated<double>(spec, parameters, {1, 2, 3, 4, 5}, 0), ElementsAre(-2, 1, 3, 4, 5));
}

TEST(Rotation, GivesTheScoresOfTheContract) {
    const Spec spec = [] {
        Spec two = spec_of(Rotary::halves, 2);
        two.value_width = 1;
        return two;
    }();
    Parameters parameters;
    parameters.rotary_table = {1, 0, 0, 1};
    History row;
    for (int n = 0; n < 2; ++n) row = row.with({true, {1, 0, 1, 0, 0}});
    const std::vector<double> token = {1, 0};
    const std::vector<double> value = {0};
    std::vector<std::vector<double>> keys;
    for (Index id = 0; id < 2; ++id) keys.push_back(rotated(spec, parameters, token, id));
    EXPECT_THAT(keys[0], ElementsAre(1, 0));
    EXPECT_THAT(keys[1], ElementsAre(0, 1));
    const auto nodes = row.tokens();
    const std::vector<ReadToken<double>> read = {{nodes[0], &keys[0], &value},
                                                 {nodes[1], &keys[1], &value}};
    const double scale = 3;
    EXPECT_THAT(attend<double>(spec, parameters, Rules<double>(), read, keys[1], 0, scale).scores,
                ElementsAre(0, 3));
}

TEST(RotaryTable, LosesColumnsOrGainsPairsThatTurnNothing) {
    Spec four = spec_of(Rotary::adjacent, 6);
    four.rotary_width = 4;
    Parameters parameters;
    parameters.rotary_table = {1, 2, 3, 4, 5, 6, 7, 8};  // of two ids
    Spec two = four;
    two.rotary_width = 2;
    Parameters narrow = parameters;
    widen_rotary_table(four, two, narrow);
    EXPECT_THAT(narrow.rotary_table, ElementsAre(1, 3, 5, 7));
    Spec whole = four;
    whole.rotary_width.reset();
    Parameters wide = parameters;
    widen_rotary_table(four, whole, wide);
    EXPECT_THAT(wide.rotary_table, ElementsAre(1, 2, 1, 3, 4, 0, 5, 6, 1, 7, 8, 0));
    const std::vector<double> head = {1, 2, 3, 4, 5, 6};
    EXPECT_EQ(rotated(whole, wide, head, 1), rotated(four, parameters, head, 1));
    Spec none = four;
    none.rotary = Rotary::none;
    none.rotary_width.reset();
    widen_rotary_table(four, none, wide);
    drop_what_the_spec_lacks(none, wide);
    EXPECT_THAT(wide.rotary_table, ElementsAre());
}

}  // namespace
}  // namespace kvcheck
