// SPDX-License-Identifier: Apache-2.0
// The adversary comes near the bound and never passes it: the bound is not an idle large number.
// Families whose answers are exact, or whose bound is the hull or underflow, tell nothing about the
// derivation's factors and are left to bound_holds_test.cpp.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/oracles/adversary.hpp"
#include "tests/oracles/row_truth.hpp"
#include "tests/oracles/samples.hpp"

namespace kvcheck {
namespace {

/// The median must reach this share of the bound.
constexpr double median_least = 0.8;

std::vector<double> ratios_of(const NumericProfile& profile) {
    std::vector<double> ratios;
    for (std::uint64_t n = 0; ratios.size() < 2000; ++n) {
        const RowSample sample = row_sample(n, 40, 16);
        if (sample.family == Family::subnormal || sample.family == Family::near_overflow) continue;
        Oracle oracle(sample.spec, {}, profile);
        const std::vector<TokenTruth> truth = row_truth(oracle, sample.tokens);
        for (std::size_t slot = 0; slot < sample.tokens.size(); slot += 7) {
            const TokenTruth& token = truth[slot];
            if (!token.standing.compared || !token.in_domain || token.standing.dead) continue;
            const Answer& answer = token.output[0];
            if (answer.bound == 0) continue;
            ratios.push_back(
                adversary_ratio(sample.spec, profile, sample.tokens, slot, 0, 0, answer));
        }
    }
    std::sort(ratios.begin(), ratios.end());
    return ratios;
}

void expect_sharp(const NumericProfile& profile, const char* name) {
    const std::vector<double> ratios = ratios_of(profile);
    const double median = ratios[ratios.size() / 2];
    fmt::print("  {:<24} {} outputs, adversary at 10 % {:.3f}, median {:.3f}, largest {:.6f}\n",
               name, ratios.size(), ratios[ratios.size() / 10], median, ratios.back());
    EXPECT_GE(median, median_least) << name;
    EXPECT_LE(ratios.back(), 1) << name;
}

TEST(Bound, IsNearlyReachedUnderTheGenericProfile) { expect_sharp({}, "generic"); }

TEST(Bound, IsNearlyReachedWhereMergesDivide) {
    NumericProfile profile;
    profile.merge_without_division = false;
    expect_sharp(profile, "merges divide");
}

TEST(Bound, IsNearlyReachedUnderAStrictProfile) {
    NumericProfile profile;
    profile.exp_ulps = 1;
    profile.divide_ulps = 0.5;
    profile.scale_roundings = 3;
    profile.difference_roundings = 1;
    profile.shift_roundings = 0;
    profile.rescale_block = 0;
    profile.merge_levels = 0;
    expect_sharp(profile, "strict");
}

}  // namespace
}  // namespace kvcheck
