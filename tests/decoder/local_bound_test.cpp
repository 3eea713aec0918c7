// SPDX-License-Identifier: Apache-2.0
// Bounds of single operations: norms and activations in float, in two orders of their sums, over
// inputs of every size; and where nothing is compared.
#include "oracles/decoder/local_bound.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/decoder_parts.hpp"
#include "oracles/answer.hpp"
#include "oracles/decoder/expected.hpp"
#include "oracles/error_function.hpp"
#include "properties/generators/draw.hpp"
#include "tests/share.hpp"

namespace kvcheck {
namespace {

const Rounding rounding(two_pass_profile(24));

float unit(Draw& draw) { return std::ldexp(float(draw.range(-(1 << 23), (1 << 23) - 1)), -23); }

std::vector<Number> widened(const std::vector<float>& values) {
    return {values.begin(), values.end()};
}

/// The largest error / bound.
double worst_of(const std::vector<float>& seen, const std::vector<Number>& right,
                const Radii& radii) {
    double worst = 0;
    for (std::size_t i = 0; i < seen.size(); ++i) {
        if (std::isinf(radii[i])) continue;
        const auto high = double(right[i]);
        const Answer answer{high, double(Number(right[i] - Number(high))), radii[i]};
        worst = std::max(worst, deviation_of(double(seen[i]), answer, 24).ratio);
    }
    return worst;
}

TEST(LocalBound, NormsInFloatAreWithinIt) {
    Draw draw(SplitMix{1});
    double worst = 0;
    double least = 1;
    const Index cases = share_of(4000);
    for (Index n = 0; n < cases; ++n) {
        DecoderSpec spec;
        spec.norm = draw.percent(50) ? Norm::layer : Norm::rms;
        spec.norm_epsilon = std::ldexp(1.0F, -int(draw.range(3, 30)));
        const auto width = std::size_t(draw.range(1, 80));
        const float size = std::ldexp(1.0F, int(draw.range(-60, 60)));
        const float mean = draw.percent(40) ? std::ldexp(size, int(draw.range(0, 12))) : 0;
        std::vector<float> x;
        NormParameters parameters;
        for (std::size_t d = 0; d < width; ++d) {
            x.push_back(mean + size * unit(draw));
            parameters.gain.push_back(2 * unit(draw));
            if (spec.norm == Norm::layer) parameters.bias.push_back(unit(draw));
        }
        const std::vector<Number> right = normalised(spec, parameters, widened(x));
        const Radii radii = norm_bound(rounding, spec, parameters, {x.begin(), x.end()});
        const double found = worst_of(normalised(spec, parameters, x), right, radii);
        // Backwards: the sums run in the other order.
        std::vector<float> reversed(x.rbegin(), x.rend());
        NormParameters other = parameters;
        std::reverse(other.gain.begin(), other.gain.end());
        std::reverse(other.bias.begin(), other.bias.end());
        std::vector<float> seen = normalised(spec, other, reversed);
        std::reverse(seen.begin(), seen.end());
        const double backwards = worst_of(seen, right, radii);
        worst = std::max({worst, found, backwards});
        least = std::min(least, *std::min_element(radii.begin(), radii.end()));
        EXPECT_LE(std::max(found, backwards), 1)
            << "width " << width << ", size " << size << ", mean " << mean;
    }
    fmt::print("norms: worst {:.3f}\n", worst);
    EXPECT_GT(worst, 0.1) << "not so wide that nothing is seen";
}

TEST(LocalBound, ActivationsInFloatAreWithinIt) {
    Draw draw(SplitMix{2});
    for (const Activation activation :
         {Activation::gelu_exact, Activation::gelu_tanh, Activation::swiglu}) {
        DecoderSpec spec;
        spec.activation = activation;
        double worst = 0;
        const Index cases = share_of(6000);
        for (Index n = 0; n < cases; ++n) {
            const auto number = [&] {
                const int exponent =
                    int(draw.percent(70) ? draw.range(-4, 6) : draw.range(-140, 50));
                return std::ldexp(unit(draw), exponent);
            };
            const std::vector<float> up = {number()};
            const std::vector<float> gate = {number()};
            const std::vector<Number> right = activated(spec, widened(gate), widened(up));
            const Radii radii =
                activation_bound(rounding, spec, {double(gate[0])}, {double(up[0])});
            const double found = worst_of(activated(spec, gate, up), right, radii);
            EXPECT_LE(found, 1) << int(activation) << ": " << gate[0] << ", " << up[0];
            worst = std::max(worst, found);
        }
        fmt::print("activation {}: worst {:.3f}\n", int(activation), worst);
        EXPECT_GT(worst, 0.1);
    }
}

TEST(LocalBound, IsInfiniteWhereACorrectProgramOverflows) {
    DecoderSpec spec;
    spec.norm_epsilon = 1;
    const NormParameters parameters{{1, 1}, {0, 0}};
    EXPECT_TRUE(std::isinf(norm_bound(rounding, spec, parameters, {1e20, 1})[0]));
    EXPECT_TRUE(std::isfinite(norm_bound(rounding, spec, parameters, {1e15, 1})[0]));
    const Rounding wide(two_pass_profile(53));
    EXPECT_TRUE(std::isfinite(norm_bound(wide, spec, parameters, {1e20, 1})[0]));
    EXPECT_TRUE(std::isinf(product_bound(rounding, {1e30F}, {}, {1e10})[0]));
    EXPECT_TRUE(std::isfinite(product_bound(rounding, {1e20F}, {}, {1e10})[0]));
    EXPECT_TRUE(std::isinf(sum_bound(rounding, {3.5e38})[0]));
    spec.activation = Activation::swiglu;
    EXPECT_TRUE(std::isinf(activation_bound(rounding, spec, {1e30}, {1e30})[0]));
    EXPECT_TRUE(std::isfinite(activation_bound(rounding, spec, {-1e30}, {1e3})[0]));
}

TEST(LocalBound, WhatIsOutsideTheDomainIsNotCompared) {
    WorstError worst;
    const double infinity = std::numeric_limits<double>::infinity();
    worst.add({infinity, 1}, {{1, 0, infinity}, {1, 0, 1}});
    EXPECT_EQ(worst.ratio, 0);
    Columns columns(1, 2);  // derivatives of zero
    std::vector<double> sums = {1, 2};
    columns.weigh({infinity}, sums);
    EXPECT_EQ(sums, std::vector<double>(2, infinity));
}

}  // namespace
}  // namespace kvcheck
