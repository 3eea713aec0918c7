// SPDX-License-Identifier: Apache-2.0
// The bound of logits alone: honest decoders stay below it at every depth.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "impl/plain/decoder.hpp"
#include "model/decoder.hpp"
#include "oracles/decoder/expected.hpp"
#include "properties/generators/decoder.hpp"
#include "tests/decoder/shapes.hpp"
#include "tests/share.hpp"

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

/// The same decoder with its widths in the other order: all sums run backwards.
Shaped reversed(const Shaped& shaped) {
    Shaped other = shaped;
    const auto width = std::size_t(shaped.spec.model_width);
    const auto hidden = std::size_t(shaped.spec.hidden_width);
    const auto flip = [](std::vector<float>& matrix, std::size_t columns) {
        for (std::size_t at = 0; at < matrix.size(); at += columns) {
            const auto begin = matrix.begin() + std::ptrdiff_t(at);
            std::reverse(begin, begin + std::ptrdiff_t(columns));
        }
    };
    const auto flip_rows = [](std::vector<float>& matrix, std::size_t columns) {
        const std::vector<float> before = matrix;
        for (std::size_t at = 0; at < matrix.size(); at += columns) {
            std::copy_n(before.begin() + std::ptrdiff_t(matrix.size() - columns - at), columns,
                        matrix.begin() + std::ptrdiff_t(at));
        }
    };
    DecoderParameters& parameters = other.parameters;
    for (auto* table : {&parameters.embedding, &parameters.position_table, &parameters.unembedding,
                        &parameters.final_norm.gain, &parameters.final_norm.bias}) {
        flip(*table, width);
    }
    for (DecoderLayer& layer : parameters.layers) {
        for (auto* vector :
             {&layer.attention_norm.gain, &layer.attention_norm.bias, &layer.mlp_norm.gain,
              &layer.mlp_norm.bias, &layer.query.weight, &layer.key.weight, &layer.value.weight,
              &layer.gate.weight, &layer.up.weight}) {
            flip(*vector, width);
        }
        for (Projection* projection : {&layer.gate, &layer.up}) {
            flip_rows(projection->weight, width);
            flip(projection->bias, std::max<std::size_t>(projection->bias.size(), 1));
        }
        flip(layer.down.weight, hidden);
        flip_rows(layer.down.weight, hidden);
        flip(layer.down.bias, std::max<std::size_t>(layer.down.bias.size(), 1));
        const auto heads = std::size_t(shaped.spec.attention.attended_size());
        flip_rows(layer.output.weight, heads);
        flip(layer.output.bias, std::max<std::size_t>(layer.output.bias.size(), 1));
    }
    return other;
}

TEST(AdjointBound, HonestVariantsStayBelowIt) {
    const DecoderArithmetic arithmetic{two_pass_profile(24), 0};
    std::size_t numbers = 0;
    double worst_ratio = 0;
    for (Index seed = 0; seed < share_of(12); ++seed) {
        for (const Shaped& shaped : small_decoders(seed % 2 == 0 ? 2 : 4, std::uint64_t(seed))) {
            SCOPED_TRACE(shaped.name);
            const std::vector<Index> tokens = drawn_tokens(shaped.spec, 12, std::uint64_t(seed));
            const DecoderTruth truth =
                decoder_truth(shaped.spec, shaped.parameters, row_of(tokens));
            const AdjointBound bound(shaped.spec, shaped.parameters, arithmetic, truth);
            const Shaped other = reversed(shaped);
            const auto backwards = make_plain_decoder<float>(other.spec, other.parameters);
            // The model's loops in float: a program that shares nothing with Eigen's.
            DecoderRow<float> loops;
            loops.nodes = truth.nodes;
            loops.tokens = tokens;
            decode(shaped.spec, shaped.parameters, Rules<float>(), loops);
            const Driven run = driven(*backwards, tokens, {3, 1, 4});
            for (std::size_t t = 0; t < tokens.size(); ++t) {
                const std::vector<Answer> right =
                    answers_of(truth.high[t].logits, truth.low[t].logits, bound.logits(t));
                const std::vector<float>& naive = loops.traces[t].logits;
                WorstError worst;
                worst.add(run.logits[t], right);
                worst.add({naive.begin(), naive.end()}, right);
                EXPECT_GT(worst.ratio, 0);
                EXPECT_LE(worst.ratio, 1);
                worst_ratio = std::max(worst_ratio, worst.ratio);
                numbers += worst.numbers;
            }
        }
    }
    fmt::print("{} logits of variants, worst {:.4f}\n", numbers, worst_ratio);
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
