// SPDX-License-Identifier: Apache-2.0
// The fast subject declares how accurate its exp is; here that is measured against long double, on
// every instruction set of this machine.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "impl/fast/fast.hpp"
#include "impl/fast/kernels.hpp"
#include "model/types/ieee.hpp"

namespace kvcheck {
namespace {

class FastExp2 : public testing::TestWithParam<std::size_t> {
protected:
    const fast::Target& target = fast::targets()[GetParam()];

    float exp2(float x) const {
        target.kernels->exp2(&x, 1);
        return x;
    }
};

/// Arguments from 0 down to where the result is no longer normal, in steps of some hundreds of
/// floats, and of one where the polynomial changes sides.
template <class Visit>
void for_arguments(const Visit& visit) {
    constexpr std::uint32_t step = 773;
    constexpr int around = 2000;
    for (std::uint32_t bits = std::bit_cast<std::uint32_t>(-0.0F);
         bits <= std::bit_cast<std::uint32_t>(-126.0F); bits += step) {
        visit(std::bit_cast<float>(bits));
    }
    for (int half = 0; half < 2 * 126; ++half) {
        float x = -float(half) / 2;
        for (int i = 0; i < around && x >= -126; ++i) {
            visit(x);
            x = std::nextafter(x, -std::numeric_limits<float>::infinity());
        }
    }
}

TEST_P(FastExp2, IsAsAccurateAsDeclared) {
    FastOptions options;
    options.target = std::string(target.name);
    const double declared = make_fast("fast", options)->capabilities().profile.exp_ulps;
    double worst = 0;
    float worst_at = 0;
    for_arguments([&](float x) {
        const long double exact = std::exp2(static_cast<long double>(x));
        const auto error = double(std::abs((exp2(x) - exact) / exact) * (1 << 23));
        if (error > worst) {
            worst = error;
            worst_at = x;
        }
    });
    fmt::print("  {}: at most {:.4f} ulp, at {}\n", target.name, worst, worst_at);
    EXPECT_LE(worst, declared);
    // A declaration that is far too wide would blunt the bound.
    EXPECT_GE(worst, declared / 2);
}

TEST_P(FastExp2, IsExactWhereThereIsNothingToRound) {
    EXPECT_EQ(exp2(0), 1);
    EXPECT_EQ(exp2(-0.0F), 1);
    for (int n = 1; n <= 126; ++n) EXPECT_EQ(exp2(-float(n)), std::ldexp(1.0F, -n));
}

TEST_P(FastExp2, GoesToZeroBelowTheNormalNumbers) {
    const float least = std::numeric_limits<float>::min();
    for (float x = -126; x > -160; x -= 0.0625F) {
        const float result = exp2(x);
        EXPECT_LE(std::abs(result - std::exp2(x)), least) << x;
        EXPECT_GE(result, 0) << x;
    }
    EXPECT_EQ(exp2(-127), 0);
    EXPECT_EQ(exp2(std::numeric_limits<float>::lowest()), 0);
    EXPECT_EQ(exp2(-std::numeric_limits<float>::infinity()), 0);
}

INSTANTIATE_TEST_SUITE_P(OnEveryTarget, FastExp2,
                         testing::Range(std::size_t{0}, fast::targets().size()),
                         [](const auto& test) {
                             return std::string(fast::targets()[test.param].name);
                         });

}  // namespace
}  // namespace kvcheck
