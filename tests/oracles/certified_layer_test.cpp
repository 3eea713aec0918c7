// SPDX-License-Identifier: Apache-2.0
// Every source of doubt in a layer on its own: at width one few roundings happen, so that a doubt
// which forgets one of them does not hold.
#include <gtest/gtest.h>

#include <cmath>

#include "oracles/certified.hpp"
#include "properties/generators/draw.hpp"
#include "tests/oracles/row_truth.hpp"

namespace kvcheck {
namespace {

/// A layer of width one whose numbers use all bits of a float and many exponents.
struct NarrowLayer {
    explicit NarrowLayer(std::uint64_t n) : draw(SplitMix{n}) {
        spec.level = Level::layer;
        spec.model_width = 1;
        spec.capacity = 1;
        spec.position_signal = PositionSignal::learned;
        parameters = zero_parameters(spec, 1);
        for (std::vector<float>* const array :
             {&parameters.position_table, &parameters.query.weight, &parameters.key.weight,
              &parameters.value.weight, &parameters.output.weight}) {
            for (float& x : *array) x = number();
        }
        row = row.with({true, {number()}});
    }

    float number() {
        const auto mantissa = float(draw.range((1 << 23) + 1, (1 << 24) - 1));
        const Index exponent = draw.range(-20, 20);
        return std::ldexp(draw.percent(50) ? mantissa : -mantissa, int(exponent) - 23);
    }

    Draw draw;
    Spec spec;
    Parameters parameters;
    History row;
};

double distance(const Answer& certified, const Answer& exact) {
    return std::fabs((certified.hi - exact.hi) - exact.lo);
}

TEST(CertifiedLayer, DoubtsHoldWhereFewRoundingsHappen) {
    double worst_stored = 0;  // error / doubt
    double worst_output = 0;
    for (std::uint64_t n = 0; n < 3000; ++n) {
        const NarrowLayer layer(n);
        Oracle oracle(layer.spec, layer.parameters, {});
        Truths truths(oracle);
        Certified certified(layer.spec, layer.parameters, {});
        const Certified::Read read = certified.read(*layer.row.last());
        const Answer key = Certified::stored(read).key[0];
        const double key_error = distance(key, truths.stored(layer.row.last()).key[0]);
        EXPECT_LE(key_error, key.doubt) << n;
        worst_stored = std::max(worst_stored, key_error / key.doubt);
        const auto truth = certified.answer({&read}, *read.node, false);
        ASSERT_TRUE(truth);
        if (!truth->in_domain) continue;
        const Answer& output = truth->output[0];
        const double output_error = distance(output, truths.of(layer.row.last()).output[0]);
        EXPECT_LE(output_error, output.doubt) << n;
        worst_output = std::max(worst_output, output_error / output.doubt);
    }
    EXPECT_GT(worst_stored, 0.5) << "one of the two roundings could be forgotten";
    EXPECT_GT(worst_output, 1.0 / 3) << "one of the three roundings could be forgotten";
}

}  // namespace
}  // namespace kvcheck
