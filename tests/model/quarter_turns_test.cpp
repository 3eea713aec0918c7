// SPDX-License-Identifier: Apache-2.0
// Tables of quarter turns: made and recognised, and turns that add up to the last bit.
#include "model/quarter_turns.hpp"

#include <gtest/gtest.h>

#include "model/rotary.hpp"

namespace kvcheck {
namespace {

Spec turning(Index width) {
    Spec spec;
    spec.key_width = width;
    spec.rotary = Rotary::adjacent;
    return spec;
}

TEST(QuarterTurns, AreRecognised) {
    for (const Index positions : {4, 5, 9}) {
        Parameters parameters;
        parameters.rotary_table = quarter_turns(positions, {1, 3, 2, 0});
        EXPECT_TRUE(admits_shifts(turning(8), parameters)) << positions;
    }
}

TEST(QuarterTurns, WhereNothingIsTurnedAnyTableWillDo) { EXPECT_TRUE(admits_shifts({}, {})); }

TEST(QuarterTurns, AnyOtherNumberIsNone) {
    const std::vector<float> table = quarter_turns(5, {1, 3});
    for (std::size_t i = 0; i < table.size(); ++i) {
        Parameters parameters;
        parameters.rotary_table = table;
        parameters.rotary_table[i] += 0.5F;
        EXPECT_FALSE(admits_shifts(turning(4), parameters)) << i;
    }
}

TEST(QuarterTurns, TooFewRowsAndInt8AreNone) {
    Parameters parameters;
    parameters.rotary_table = quarter_turns(3, {1, 1});
    EXPECT_FALSE(admits_shifts(turning(4), parameters));
    parameters.rotary_table = quarter_turns(4, {1, 1});
    Spec spec = turning(4);
    spec.storage = Storage::int8;
    EXPECT_FALSE(admits_shifts(spec, parameters));
    spec.storage = Storage::fp16;
    EXPECT_TRUE(admits_shifts(spec, parameters));
}

TEST(QuarterTurns, AddUp) {
    const Spec spec = turning(4);
    Parameters parameters;
    parameters.rotary_table = quarter_turns(8, {1, 3});
    const std::vector<float> key = {1, 2, 3, 5};
    for (Index a = 0; a < 4; ++a) {
        for (Index b = 0; b < 4; ++b) {
            const auto once = rotated<float>(spec, parameters, key, a + b);
            EXPECT_EQ(rotated<float>(spec, parameters, rotated<float>(spec, parameters, key, a), b),
                      once);
        }
    }
}

}  // namespace
}  // namespace kvcheck
