// SPDX-License-Identifier: Apache-2.0
// Bounds of double arithmetic, evaluated in double: 1 + u is 1 there, so no bound may be formed as
// a quotient or product near 1 less 1.
#include <gtest/gtest.h>

#include "oracles/error_bound.hpp"

namespace kvcheck {
namespace {

/// Three keys of equal score, each product exact.
QueryFacts equal_keys() {
    QueryFacts facts;
    facts.slots = 3;
    facts.key_width = 1;
    facts.scale = 1;
    facts.score = {0, 0, 0};
    facts.weight = {1.0 / 3, 1.0 / 3, 1.0 / 3};
    facts.product_sum = {0, 0, 0};
    facts.key_sum = {0, 0, 0};
    facts.product_radius = {0, 0, 0};
    return facts;
}

TEST(DoubleBound, OfASumOfThreeWeightsHasTwoAdditionsAndADivision) {
    const Rounding rounding(two_pass_profile(53));
    EXPECT_GE(QueryBound(rounding, equal_keys()).weights().sum, 3 * rounding.u);
}

TEST(DoubleBound, OfTwoFactorsHasBoth) {
    const double u = Rounding(profile_of_digits(53)).u;
    EXPECT_GE(compound(u, 2 * u), 3 * u);
    EXPECT_DOUBLE_EQ(compound(0.5, 0.25), 0.875);
}

}  // namespace
}  // namespace kvcheck
