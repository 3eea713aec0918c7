// SPDX-License-Identifier: Apache-2.0
// The taps of the textbook decoder: every operation lies within its bound, in every chunking, and
// one number that is changed is found where it is.
#include "oracles/decoder/taps.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "impl/plain/decoder.hpp"
#include "properties/generators/decoder.hpp"
#include "tests/decoder/shapes.hpp"

namespace kvcheck {
namespace {

template <class Scalar>
DecoderArithmetic arithmetic_of() {
    return {two_pass_profile(std::numeric_limits<Scalar>::digits), 0};
}

template <class Scalar>
void expect_within(const Shaped& shaped, const std::vector<Index>& chunks) {
    SCOPED_TRACE(shaped.name);
    const std::vector<Index> tokens = drawn_tokens(shaped.spec, 12, 5);
    const auto decoder = make_plain_decoder<Scalar>(shaped.spec, shaped.parameters);
    const Driven run = driven(*decoder, tokens, chunks);
    const TapVerdict verdict = check_taps(shaped.spec, shaped.parameters, arithmetic_of<Scalar>(),
                                          row_of(tokens), run.taps);
    EXPECT_FALSE(verdict.first) << name_of(verdict.first->operation) << " of layer "
                                << verdict.first->layer.value_or(99) << ", ratio "
                                << verdict.first->ratio;
    EXPECT_GT(verdict.worst.ratio, 0);
    EXPECT_GT(verdict.numbers, 12U * 2U * 16U);
}

TEST(DecoderTaps, EveryOperationOfTheTextbookIsWithinItsBound) {
    for (const std::vector<Index>& chunks : {std::vector<Index>{}, {4, 1, 1, 3}, {1, 1, 5}}) {
        for (const Shaped& shaped : small_decoders(2, 11)) {
            expect_within<float>(shaped, chunks);
            expect_within<double>(shaped, chunks);
        }
    }
}

TEST(DecoderTaps, AChangedNumberIsFoundWhereItIs) {
    const Shaped shaped = small_decoders(2, 11)[1];
    const std::vector<Index> tokens = drawn_tokens(shaped.spec, 6, 5);
    const auto decoder = make_plain_decoder<float>(shaped.spec, shaped.parameters);
    const Driven run = driven(*decoder, tokens, {3});
    using Layer = LayerTrace<double>;
    const std::vector<std::pair<std::vector<double> Layer::*, Operation>> parts = {
        {&Layer::normed, Operation::attention_norm},
        {&Layer::query, Operation::query},
        {&Layer::key, Operation::key},
        {&Layer::value, Operation::value},
        {&Layer::stored_key, Operation::cached_key},
        {&Layer::stored_value, Operation::cached_value},
        {&Layer::attended, Operation::attention},
        {&Layer::projected, Operation::projection},
        {&Layer::residual, Operation::residual},
        {&Layer::mlp_normed, Operation::mlp_norm},
        {&Layer::gate, Operation::gate},
        {&Layer::up, Operation::up},
        {&Layer::activated, Operation::activation},
        {&Layer::down, Operation::down},
        {&Layer::output, Operation::layer_output},
        {&Layer::input, Operation::layer_input},
    };
    for (const auto& [part, operation] : parts) {
        std::vector<TokenTaps> taps = run.taps;
        double& number = (taps[4].layers[1].*part)[2];
        number += 0.01 * (1 + std::fabs(number));
        const TapVerdict verdict = check_taps(shaped.spec, shaped.parameters,
                                              arithmetic_of<float>(), row_of(tokens), taps);
        ASSERT_TRUE(verdict.first) << name_of(operation);
        EXPECT_EQ(name_of(verdict.first->operation), name_of(operation));
        EXPECT_EQ(verdict.first->token, 4U);
        EXPECT_EQ(verdict.first->layer, std::optional<std::size_t>(1));
        EXPECT_EQ(verdict.first->element, 2U);
    }
    std::vector<TokenTaps> taps = run.taps;
    taps[5].logits[7] += 0.01;
    const TapVerdict verdict =
        check_taps(shaped.spec, shaped.parameters, arithmetic_of<float>(), row_of(tokens), taps);
    ASSERT_TRUE(verdict.first);
    EXPECT_EQ(verdict.first->operation, Operation::logits);
}

TEST(DecoderTaps, AMissingTapIsAFinding) {
    const Shaped shaped = small_decoders(2, 11)[0];
    const std::vector<Index> tokens = drawn_tokens(shaped.spec, 3, 5);
    const auto decoder = make_plain_decoder<float>(shaped.spec, shaped.parameters);
    const Driven run = driven(*decoder, tokens, {});
    const auto first = [&](const std::vector<TokenTaps>& taps) {
        return check_taps(shaped.spec, shaped.parameters, arithmetic_of<float>(), row_of(tokens),
                          taps)
            .first;
    };
    std::vector<TokenTaps> taps = run.taps;
    taps[1].layers[0].stored_key.clear();
    ASSERT_TRUE(first(taps));
    EXPECT_EQ(first(taps)->operation, Operation::cached_key);
    taps = run.taps;
    taps[2].layers.pop_back();
    EXPECT_TRUE(first(taps));
    taps = run.taps;
    taps[2].normed.pop_back();
    EXPECT_TRUE(first(taps));
    taps.pop_back();
    EXPECT_TRUE(first(taps));
}

TEST(PlainDecoder, RefusesAndChangesNothing) {
    const Shaped shaped = small_decoders(2, 11)[0];
    const std::vector<Index> tokens = drawn_tokens(shaped.spec, 6, 5);
    const auto decoder = make_plain_decoder<float>(shaped.spec, shaped.parameters);
    DecoderAnswer answer;
    ASSERT_TRUE(decoder->append(call_of({tokens[0], tokens[1]}), answer).ok());
    const auto before = decoder->stored(0, 1)->keys;
    EXPECT_FALSE(decoder->append(call_of({shaped.spec.vocabulary}), answer).ok());
    EXPECT_FALSE(decoder->append(call_of({-1}), answer).ok());
    EXPECT_FALSE(decoder->append(call_of(std::vector<Index>(31, 0)), answer).ok()) << "capacity";
    DecoderCall two_rows;
    two_rows.tokens = {{1}, {2}};
    EXPECT_FALSE(decoder->append(two_rows, answer).ok());
    EXPECT_FALSE(decoder->apply(Truncate{3, 0}).ok());
    EXPECT_EQ(decoder->stored(0, 1)->keys, before);
    EXPECT_FALSE(decoder->stored(1, 0));
    EXPECT_FALSE(decoder->stored(0, 2));
    ASSERT_TRUE(decoder->apply(Truncate{1, 0}).ok());
    EXPECT_EQ(decoder->stored(0, 1)->keys.size(), 1U);
    ASSERT_TRUE(decoder->append(call_of({tokens[1]}), answer).ok());
    EXPECT_EQ(decoder->stored(0, 1)->keys.size(), 2U);
}

}  // namespace
}  // namespace kvcheck
