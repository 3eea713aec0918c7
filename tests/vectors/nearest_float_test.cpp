// SPDX-License-Identifier: Apache-2.0
// Rounding an answer to float: once, also where its high part lies between two floats.
#include "tests/vectors/nearest_float.hpp"

#include <gtest/gtest.h>

namespace kvcheck::vectors {
namespace {

const double half_ulp = std::ldexp(1.0, -24);  // of a float from 1 to 2
const float after_one = std::nextafter(1.0F, 2.0F);
const double tiny = std::ldexp(1.0, -80);

TEST(NearestFloat, DecidesAMidpointByTheLowPart) {
    for (const double sign : {1.0, -1.0}) {
        // One is even, the float after it odd: the low part must beat the tie in both directions.
        EXPECT_EQ(nearest_float({sign * (1 + half_ulp), 0, 0}), float(sign));
        EXPECT_EQ(nearest_float({sign * (1 + half_ulp), sign * tiny, 0}), float(sign * after_one));
        EXPECT_EQ(nearest_float({sign * (1 + half_ulp), -sign * tiny, 0}), float(sign));
        EXPECT_EQ(nearest_float({sign * (1 + 3 * half_ulp), -sign * tiny, 0}),
                  float(sign * after_one));
        EXPECT_EQ(nearest_float({sign * (1 - half_ulp / 2), -sign * tiny, 0}),
                  std::nextafter(float(sign), 0.0F));
    }
}

TEST(NearestFloat, LeavesEverythingElseToTheHighPart) {
    EXPECT_EQ(nearest_float({1, tiny, 0}), 1.0F);
    EXPECT_EQ(nearest_float({1 + half_ulp / 2, tiny, 0}), 1.0F);
    EXPECT_EQ(nearest_float({1 + 1.5 * half_ulp, -tiny, 0}), after_one);
    const double denormal = std::numeric_limits<float>::denorm_min();
    EXPECT_EQ(nearest_float({denormal / 2, denormal * tiny, 0}), float(denormal));
    EXPECT_EQ(nearest_float({denormal / 2, -denormal * tiny, 0}), 0.0F);
}

}  // namespace
}  // namespace kvcheck::vectors
