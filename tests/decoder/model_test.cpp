// SPDX-License-Identifier: Apache-2.0
// The parts of a decoder by hand, its sizes, and what it refuses.
#include "model/decoder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/types/error.hpp"
#include "oracles/error_function.hpp"
#include "tests/decoder/shapes.hpp"

namespace kvcheck {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(DecoderModel, LayerNormSubtractsTheMeanAndDividesByTheDeviation) {
    DecoderSpec spec;
    spec.norm_epsilon = 3;
    // mean 2, variance (1 + 1) / 2 = 1, root of 1 + 3 is 2
    const std::vector<double> x = {1, 3};
    EXPECT_THAT(normalised<double>(spec, {{1, 8}, {10, 20}}, x), ElementsAre(9.5, 24));
}

TEST(DecoderModel, RmsNormDividesByTheRootOfTheMeanSquare) {
    DecoderSpec spec;
    spec.norm = Norm::rms;
    spec.norm_epsilon = 4;
    // mean square (1 + 9) / 2 = 5, root of 5 + 4 is 3
    const std::vector<double> x = {3, -1};
    EXPECT_THAT(normalised<double>(spec, {{1, 6}, {}}, x), ElementsAre(1, -2));
}

TEST(DecoderModel, ActivationsAtKnownPlaces) {
    const Number one(1);
    // Phi(1) = 0.841344746068542948585..., tables of the normal distribution
    EXPECT_EQ(double(gelu_exact(one)), 0.84134474606854294859);
    EXPECT_EQ(gelu_tanh(0.0), 0);
    EXPECT_EQ(silu(0.0), 0);
    EXPECT_NE(double(gelu_exact(one)), double(gelu_tanh(one))) << "an approximation";
    const Number large(40);
    EXPECT_EQ(double(gelu_exact(large)), 40);
    EXPECT_EQ(double(gelu_tanh(large)), 40);
    EXPECT_EQ(double(silu(large)), 40);
    EXPECT_EQ(double(gelu_exact(Number(-40))), 0);
    DecoderSpec spec;
    spec.activation = Activation::swiglu;
    const std::vector<double> gated = activated<double>(spec, {40, 0}, {3, 5});
    EXPECT_THAT(gated, ElementsAre(120, 0));
}

TEST(DecoderModel, BothNumberTypesHaveOneErrorFunction) {
    for (const double x : {0.0, 0.25, -1.0, 3.5, -7.0, 11.5, 13.0}) {
        const Number ours = ErrorFunction<Number>::of(Number(x));
        const BinaryNumber other = error_function_series(BinaryNumber(x));
        const Number difference = ours - Number(other.str(55));
        EXPECT_LT(double(abs(difference)), 1e-48) << x;
    }
}

TEST(DecoderModel, OneLayerByHand) {
    // One head of width 1, one model element; norms turn every x != 0 into its sign times the gain.
    DecoderSpec spec;
    spec.vocabulary = 2;
    spec.norm = Norm::rms;
    spec.norm_epsilon = std::ldexp(1.0F, -100);
    spec.activation = Activation::swiglu;
    spec.attention.capacity = 2;
    DecoderParameters parameters = zero_decoder(spec, 0);
    parameters.embedding = {2, -4};
    parameters.unembedding = {1, 10};
    DecoderLayer& layer = parameters.layers[0];
    layer.attention_norm.gain = layer.mlp_norm.gain = parameters.final_norm.gain = {1};
    layer.query.weight = {0};  // equal scores: the mean of the values
    layer.key.weight = {1};
    layer.value.weight = {3};
    layer.output.weight = {100};
    layer.gate.weight = {40};  // silu(+-40) is 40 or 0, but for e^-40
    layer.up.weight = {1};
    layer.down.weight = {0.5F};
    const DecoderTruth truth = decoder_truth(spec, parameters, row_of({0, 1}));
    const LayerTrace<double>& first = truth.high[0].layers[0];
    EXPECT_THAT(first.attended, ElementsAre(3));
    EXPECT_THAT(first.residual, ElementsAre(302));
    EXPECT_THAT(first.output, ElementsAre(322));
    const LayerTrace<double>& second = truth.high[1].layers[0];
    EXPECT_NEAR(second.attended[0], 0, 1e-29);  // of 3 and -3, but for eps
    EXPECT_THAT(second.residual, ElementsAre(-4));
    EXPECT_NEAR(second.output[0], -4, 1e-15);  // silu(-40)
    EXPECT_THAT(truth.high[0].logits, ElementsAre(1, 10));
    EXPECT_THAT(truth.high[1].logits, ElementsAre(-1, -10));
}

TEST(DecoderModel, ATokenSeesNothingLater) {
    for (const Shaped& shaped : small_decoders(2, 3)) {
        SCOPED_TRACE(shaped.name);
        const DecoderTruth one =
            decoder_truth(shaped.spec, shaped.parameters, row_of({1, 2, 3, 4}));
        const DecoderTruth other =
            decoder_truth(shaped.spec, shaped.parameters, row_of({1, 2, 3, 5}));
        for (std::size_t t = 0; t < 3; ++t) EXPECT_EQ(one.high[t].logits, other.high[t].logits);
        EXPECT_NE(one.high[3].logits, other.high[3].logits);
    }
}

TEST(DecoderModel, PaddingIsSkipped) {
    const Shaped shaped = small_decoders(2, 3)[1];
    std::vector<DecoderToken> padded = row_of({7, 1, 2, 3});
    padded[0].real = false;
    DecoderSpec spec = shaped.spec;
    spec.attention.position_ids = PositionIds::visible_count;
    const DecoderTruth with = decoder_truth(spec, shaped.parameters, padded);
    const DecoderTruth without = decoder_truth(spec, shaped.parameters, row_of({1, 2, 3}));
    EXPECT_TRUE(with.high[0].layers.empty());
    for (std::size_t t = 0; t < 3; ++t) EXPECT_EQ(with.high[t + 1].logits, without.high[t].logits);
}

std::string objection_to(const DecoderSpec& spec) {
    try {
        validate(spec);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(DecoderSpec, RefusesWhatContradictsItself) {
    const DecoderSpec good = small_decoders(1, 0)[0].spec;
    EXPECT_EQ(objection_to(good), "");
    DecoderSpec bad = good;
    bad.layers = 0;
    EXPECT_THAT(objection_to(bad), HasSubstr("decoder.layers: found 0"));
    bad = good;
    bad.positions = 0;
    EXPECT_THAT(objection_to(bad), HasSubstr("decoder.positions: found 0"));
    bad = good;
    bad.norm_epsilon = 0;
    EXPECT_THAT(objection_to(bad), HasSubstr("decoder.norm_epsilon"));
    bad = good;
    bad.attention.level = Level::layer;
    EXPECT_THAT(objection_to(bad), HasSubstr("decoder.attention.level"));
}

TEST(DecoderSpec, SizesAreAskedFor) {
    Shaped shaped = small_decoders(2, 0)[0];
    EXPECT_NO_THROW(validate(shaped.spec, shaped.parameters));
    shaped.parameters.layers[1].up.weight.pop_back();
    try {
        validate(shaped.spec, shaped.parameters);
        FAIL() << "not refused";
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), HasSubstr("decoder.layers[1].up.weight: found 383 values, "
                                            "expected 384"));
    }
}

}  // namespace
}  // namespace kvcheck
