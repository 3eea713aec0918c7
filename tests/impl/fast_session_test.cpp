// SPDX-License-Identifier: Apache-2.0
// What the fast subject promises beyond the contract: a decode step asks nothing of the heap, the
// number of threads changes no bit, and long rows that are cut into pieces stay within the bound of
// rows that are not.
#include <gtest/gtest.h>

#include <cmath>

#include "impl/fast/fast.hpp"
#include "model/types/error.hpp"
#include "tests/impl/fast_calls.hpp"
#include "tests/model/allocated.hpp"

namespace kvcheck {
namespace {

Spec attention_spec() {
    Spec spec;
    spec.rows = 2;
    spec.query_heads = 6;
    spec.kv_heads = 2;
    spec.key_width = 20;
    spec.value_width = 70;
    spec.capacity = 300;
    return spec;
}

Spec layer_spec() {
    Spec spec = attention_spec();
    spec.level = Level::layer;
    spec.model_width = 30;
    spec.position_signal = PositionSignal::learned;
    spec.biases = true;
    return spec;
}

FastOptions eager(int threads) {
    FastOptions options;
    options.threads = threads;
    options.parallel_from = 0;
    options.split_slots = 64;
    return options;
}

class FastSessionAt : public testing::TestWithParam<Level> {
protected:
    const Spec spec = GetParam() == Level::layer ? layer_spec() : attention_spec();
    const Parameters parameters = some_parameters(spec, spec.capacity, 3);
};

TEST_P(FastSessionAt, TakesNothingFromTheHeapInADecodeStep) {
    for (const int threads : {1, 2}) {
        const auto subject = make_fast("fast", eager(threads));
        const Opened opened = subject->open(spec, parameters);
        DenseCall prefix(spec, 50);
        prefix.fill(1);
        ASSERT_TRUE(opened.session->append(prefix.call()).ok());
        DenseCall step(spec, 1);
        const std::size_t before = bytes_allocated();
        // Two hundred steps: blocks begin, and rows come to be cut.
        for (std::uint64_t n = 0; n < 200; ++n) {
            step.fill(n);
            ASSERT_TRUE(opened.session->append(step.call()).ok());
        }
        EXPECT_EQ(bytes_allocated() - before, 0U) << threads << " threads";
    }
}

TEST_P(FastSessionAt, KeepsItsBitsForAnyNumberOfThreads) {
    const std::vector<Index> calls = {150, 1, 1, 3, 40, 1};
    for (const std::string& target : fast_targets()) {
        FastOptions options = eager(1);
        options.target = target;
        const auto one = outputs_of(*make_fast("fast", options), spec, parameters, calls);
        for (const int threads : {2, 3}) {
            options.threads = threads;
            for (int repetition = 0; repetition < 5; ++repetition) {
                EXPECT_EQ(outputs_of(*make_fast("fast", options), spec, parameters, calls), one)
                    << target << ", " << threads << " threads";
            }
        }
    }
}

TEST_P(FastSessionAt, AgreesAcrossTargets) {
    // Values between -1 and 1 and sums of a few hundred terms: far apart means a wrong tile.
    const std::vector<Index> calls = {150, 1, 3, 40, 1};
    const auto expected = outputs_of(*make_fast("fast"), spec, parameters, calls);
    for (const std::string& target : fast_targets()) {
        FastOptions options = eager(1);
        options.target = target;
        const auto outputs = outputs_of(*make_fast("fast", options), spec, parameters, calls);
        ASSERT_EQ(outputs.size(), expected.size());
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            ASSERT_LE(std::abs(outputs[i] - expected[i]), 1e-3F) << target << ", element " << i;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Level, FastSessionAt, testing::Values(Level::attention, Level::layer),
                         [](const auto& test) {
                             return test.param == Level::layer ? std::string("Layer")
                                                               : std::string("Attention");
                         });

TEST(FastSession, GivesTheBitsOfASingleRowToEachOfMany) {
    Spec many = layer_spec();
    // A wave holds 192 tokens: three rows of 63, and 3 tokens of the fourth, which alone would be
    // few enough to be cut into pieces.
    many.rows = 7;
    Spec single = many;
    single.rows = 1;
    const Parameters parameters = some_parameters(many, many.capacity, 3);
    const auto subject = make_fast("fast", eager(2));
    const auto together = subject->open(many, parameters);
    std::vector<Opened> alone;
    for (Index row = 0; row < many.rows; ++row) alone.push_back(subject->open(single, parameters));
    std::uint64_t seed = 5;
    for (const Index tokens : {63, 1, 1, 63, 2, 1}) {
        DenseCall all(many, tokens);
        all.fill(++seed);
        ASSERT_TRUE(together.session->append(all.call()).ok());
        const auto width = std::size_t(tokens * many.model_width);
        for (std::size_t row = 0; row < std::size_t(many.rows); ++row) {
            DenseCall one(single, tokens);
            std::copy_n(all.input(0).begin() + std::ptrdiff_t(row * width), width,
                        one.input(0).begin());
            ASSERT_TRUE(alone[row].session->append(one.call()).ok());
            const std::vector<float> part(all.output().begin() + std::ptrdiff_t(row * width),
                                          all.output().begin() + std::ptrdiff_t((row + 1) * width));
            EXPECT_EQ(part, std::vector<float>(one.output().begin(), one.output().end()))
                << "row " << row << ", " << tokens << " tokens";
        }
    }
}

TEST(FastSession, GivesEqualWeightsToEqualScoresInLongRows) {
    // Keys of zero: every weight is 1 / n, and the mean of ones is one, whatever the pieces.
    Spec spec;
    spec.kv_heads = spec.query_heads = 2;
    spec.key_width = spec.value_width = 8;
    spec.capacity = 5000;
    for (const Index split : {64, 1024}) {
        FastOptions options = eager(2);
        options.split_slots = split;
        const Opened opened = make_fast("fast", options)->open(spec, {});
        DenseCall prefix(spec, spec.capacity - 1);
        DenseCall step(spec, 1);
        for (DenseCall* call : {&prefix, &step}) {
            call->fill(1);
            std::fill(call->input(1).begin(), call->input(1).end(), 0.0F);
            std::fill(call->input(2).begin(), call->input(2).end(), 1.0F);
            ASSERT_TRUE(opened.session->append(call->call()).ok());
            for (const float value : call->output()) ASSERT_NEAR(value, 1, 1e-6);
        }
    }
}

TEST(FastSession, RefusesWhatNoMemoryCanHold) {
    Spec spec;
    spec.rows = rows_max;
    spec.capacity = extent_max;
    spec.kv_heads = spec.query_heads = 1;
    spec.key_width = spec.value_width = extent_max;
    EXPECT_EQ(make_fast("fast")->open(spec, {}).status.kind, Status::Kind::refused);
}

TEST(FastSession, OpensForAMillionSlotsAtOnce) {
    Spec spec = attention_spec();
    spec.capacity = extent_max;
    const Opened opened = make_fast("fast")->open(spec, {});
    ASSERT_TRUE(opened.status.ok());
    DenseCall call(spec, 3);
    call.fill(1);
    EXPECT_TRUE(opened.session->append(call.call()).ok());
}

TEST(FastSession, RefusesOptionsThatMakeNoSense) {
    const auto with = [](const auto& change) {
        FastOptions options;
        change(options);
        return make_fast("fast", options);
    };
    EXPECT_THROW(with([](FastOptions& o) { o.target = "AVX9"; }), InputError);
    EXPECT_THROW(with([](FastOptions& o) { o.threads = 0; }), InputError);
    EXPECT_THROW(with([](FastOptions& o) { o.split_slots = 65; }), InputError);
    EXPECT_THROW(with([](FastOptions& o) { o.parallel_from = -1; }), InputError);
}

}  // namespace
}  // namespace kvcheck
