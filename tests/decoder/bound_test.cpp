// SPDX-License-Identifier: Apache-2.0
// The bound of logits alone: honest decoders stay below it at every depth.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "impl/plain/decoder.hpp"
#include "oracles/decoder/adjoint.hpp"
#include "properties/generators/decoder.hpp"
#include "tests/decoder/shapes.hpp"

namespace kvcheck {
namespace {

struct Ratios {
    double logits = 0;
    double stored = 0;
};

template <class Scalar>
Ratios worst_ratios(const Shaped& shaped, const std::vector<Index>& chunks) {
    const std::vector<Index> tokens = drawn_tokens(shaped.spec, 12, 5);
    const auto decoder = make_plain_decoder<Scalar>(shaped.spec, shaped.parameters);
    const Driven run = driven(*decoder, tokens, chunks);
    const DecoderTruth truth = decoder_truth(shaped.spec, shaped.parameters, row_of(tokens));
    const DecoderArithmetic arithmetic{two_pass_profile(std::numeric_limits<Scalar>::digits), 0};
    const AdjointBound bound(shaped.spec, shaped.parameters, arithmetic, truth);
    Ratios worst;
    const auto judge = [](double& worst_ratio, const std::vector<double>& seen,
                          const std::vector<double>& high, const std::vector<double>& low,
                          const Radii& radii) {
        const std::vector<Answer> right = answers_of(high, low, radii);
        ASSERT_EQ(seen.size(), right.size());
        for (std::size_t i = 0; i < seen.size(); ++i) {
            worst_ratio = std::max(worst_ratio, deviation_of(seen[i], right[i], 53).ratio);
        }
    };
    for (std::size_t t = 0; t < tokens.size(); ++t) {
        judge(worst.logits, run.logits[t], truth.high[t].logits, truth.low[t].logits,
              bound.logits(t));
        for (std::size_t l = 0; l < std::size_t(shaped.spec.layers); ++l) {
            const auto& high = truth.high[t].layers[l];
            const auto& low = truth.low[t].layers[l];
            const auto& seen = run.taps[t].layers[l];
            judge(worst.stored, seen.stored_key, high.stored_key, low.stored_key,
                  bound.stored_key(t, l));
            judge(worst.stored, seen.stored_value, high.stored_value, low.stored_value,
                  bound.stored_value(t, l));
        }
    }
    return worst;
}

TEST(AdjointBound, HonestDecodersStayBelowIt) {
    for (const std::vector<Index>& chunks : {std::vector<Index>{}, {4, 1, 1, 3}}) {
        for (const Shaped& shaped : small_decoders(2, 11)) {
            SCOPED_TRACE(shaped.name);
            for (const Ratios& worst :
                 {worst_ratios<float>(shaped, chunks), worst_ratios<double>(shaped, chunks)}) {
                EXPECT_GT(worst.logits, 0);
                EXPECT_LE(worst.logits, 1);
                EXPECT_GT(worst.stored, 0);
                EXPECT_LE(worst.stored, 1);
            }
        }
    }
}

TEST(AdjointBound, ItsDerivativesAreThoseOfTheDecoder) {
    for (const Shaped& shaped : small_decoders(2, 7)) {
        SCOPED_TRACE(shaped.name);
        const std::vector<Index> tokens = {1, 2, 3, 4,
                                           5, 6, 7};  // each has an embedding of its own
        const std::size_t asked = 5;
        const DecoderTruth truth = decoder_truth(shaped.spec, shaped.parameters, row_of(tokens));
        const AdjointBound bound(shaped.spec, shaped.parameters, {two_pass_profile(24), 0}, truth);
        const std::vector<Columns> slopes = bound.logits_by_input(asked);
        ASSERT_EQ(slopes.size(), asked + 1);
        const std::size_t element = 3;
        for (std::size_t t = 0; t <= asked; ++t) {
            // Central differences, by steps that are exact in float; with the output tied the moved
            // embedding must not be the one of the logit.
            const float step = std::ldexp(1.0F, -11);
            std::vector<std::vector<double>> moved;
            for (const float direction : {step, -step}) {
                DecoderParameters parameters = shaped.parameters;
                if (parameters.unembedding.empty()) parameters.unembedding = parameters.embedding;
                const std::size_t at = std::size_t(tokens[t]) * 16 + element;
                parameters.embedding[at] =
                    std::ldexp(std::round(std::ldexp(parameters.embedding[at], 11)), -11) +
                    direction;
                moved.push_back(
                    decoder_truth(shaped.spec, parameters, row_of(tokens)).high[asked].logits);
            }
            double largest = 0;
            for (const double slope :
                 slopes[t].empty()
                     ? std::vector<double>{}
                     : std::vector<double>(slopes[t].row(element), slopes[t].row(element) + 29)) {
                largest = std::max(largest, std::fabs(slope));
            }
            for (std::size_t v = 0; v < 29; ++v) {
                const double difference = (moved[0][v] - moved[1][v]) / (2.0 * double(step));
                const double slope = slopes[t].empty() ? 0 : slopes[t].row(element)[v];
                EXPECT_NEAR(slope, difference, 1e-3 * largest + 1e-9)
                    << "token " << t << ", logit " << v;
            }
        }
    }
}

}  // namespace
}  // namespace kvcheck
