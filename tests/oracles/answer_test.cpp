// SPDX-License-Identifier: Apache-2.0
// One observed number against its answer: what is decided before any subtraction.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "oracles/answer.hpp"

namespace kvcheck {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Deviation, OfAnExactNumberIsWithinABoundOfZero) {
    EXPECT_TRUE(deviation_of(2.5, {2.5, 0, 0}, 24).within());
    EXPECT_FALSE(deviation_of(std::nextafter(2.5, 3), {2.5, 0, 0}, 24).within());
}

TEST(Deviation, TreatsZerosOfBothSignsAlike) {
    EXPECT_TRUE(deviation_of(-0.0, {0, 0, 0}, 24).within());
}

TEST(Deviation, NeverForgivesWhatIsNotFinite) {
    for (const double observed : {nan, infinity, -infinity}) {
        EXPECT_FALSE(deviation_of(observed, {1, 0, infinity}, 24).within());
        EXPECT_FALSE(deviation_of(observed, {1, 0, 1e300}, 24).within());
    }
}

TEST(Deviation, WantsNanWhereNanIsRight) {
    EXPECT_TRUE(deviation_of(nan, {nan, 0, 0}, 24).within());
    EXPECT_FALSE(deviation_of(0, {nan, 0, 0}, 24).within());
    EXPECT_FALSE(deviation_of(infinity, {nan, 0, 0}, 24).within());
}

TEST(Deviation, CountsTheLowPartOfTheAnswer) {
    // hi + lo is a third; the double nearest to it is off by lo alone.
    const double hi = 1.0 / 3;
    const double lo = std::ldexp(1.0, -54) / 3;
    EXPECT_DOUBLE_EQ(deviation_of(hi, {hi, lo, lo}, 53).ratio, 1);
    EXPECT_FALSE(deviation_of(hi, {hi, lo, lo / 2}, 53).within());
}

TEST(Deviation, CountsUlpsOfTheFormat) {
    const double ulp = std::ldexp(1.0, -23);
    EXPECT_DOUBLE_EQ(deviation_of(1 + 3 * ulp, {1, 0, 1}, 24).ulps, 3);
}

}  // namespace
}  // namespace kvcheck
