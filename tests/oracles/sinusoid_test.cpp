// SPDX-License-Identifier: Apache-2.0
// The sinusoidal table against the angles that can be written down.
#include "oracles/sinusoid.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace kvcheck {
namespace {

TEST(Sinusoid, IsTheTableOfSinesAndCosines) {
    const auto table = sinusoidal_table(3, 4);
    EXPECT_EQ(table[0], 0.0F);
    EXPECT_FLOAT_EQ(table[1], 1.0F);
    EXPECT_FLOAT_EQ(table[4], std::sin(1.0F));
    EXPECT_FLOAT_EQ(table[5], std::cos(1.0F));
    EXPECT_FLOAT_EQ(table[10], std::sin(0.02F));
    EXPECT_FLOAT_EQ(table[11], std::cos(0.02F));
}

}  // namespace
}  // namespace kvcheck
