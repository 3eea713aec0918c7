// SPDX-License-Identifier: Apache-2.0
// Two sessions of one subject, each driven by a thread of its own, give the bits that they give one
// after the other. What they race for is seen in a build with the sanitizer for threads
// (scripts/nightly); here only what a race would break.
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "impl/fast/fast.hpp"
#include "impl/plain/plain.hpp"
#include "impl/plain/rules.hpp"
#include "tests/impl/fast_calls.hpp"

namespace kvcheck {
namespace {

Spec spec_of(Level level, Index width) {
    Spec spec;
    spec.level = level;
    spec.rows = 2;
    spec.query_heads = 4;
    spec.kv_heads = 2;
    spec.key_width = width;
    spec.value_width = width;
    spec.capacity = 400;
    if (level == Level::layer) spec.model_width = 24;
    return spec;
}

/// Calls of one to seven tokens, with rows that are cut and that change places between them.
std::vector<float> life_of(Subject& subject, const Spec& spec, std::uint64_t seed) {
    const Parameters parameters = some_parameters(spec, spec.capacity, seed);
    const Opened opened = subject.open(spec, parameters);
    std::vector<float> outputs;
    Index length = 0;
    for (Index n = 0; n < 60; ++n) {
        DenseCall call(spec, 1 + n % 7);
        call.fill(seed + std::uint64_t(n));
        Status status = opened.session->append(call.call());
        outputs.insert(outputs.end(), call.output().begin(), call.output().end());
        length += 1 + n % 7;
        if (n % 10 == 9) {
            length /= 2;
            if (status.ok()) status = opened.session->apply(Truncate{length, std::nullopt});
        }
        if (n % 4 == 3 && status.ok()) status = opened.session->apply(Reorder{{1, 0}});
        EXPECT_TRUE(status.ok()) << status.message;
    }
    return outputs;
}

void expect_no_interference(Subject& subject) {
    for (const Level level : {Level::attention, Level::layer}) {
        const Spec one = spec_of(level, 16);
        const Spec other = spec_of(level, 20);
        const std::vector<float> one_alone = life_of(subject, one, 1);
        const std::vector<float> other_alone = life_of(subject, other, 2);
        std::vector<float> one_beside;
        std::thread thread([&] { one_beside = life_of(subject, one, 1); });
        const std::vector<float> other_beside = life_of(subject, other, 2);
        thread.join();
        EXPECT_EQ(one_beside, one_alone);
        EXPECT_EQ(other_beside, other_alone);
    }
}

TEST(TwoThreads, DoNotDisturbEachOtherInTwoSessionsOfPlain) {
    expect_no_interference(*make_plain<float>("plain", std::make_shared<PlainRules>()));
}

TEST(TwoThreads, DoNotDisturbEachOtherInTwoSessionsOfFast) {
    for (const int threads : {1, 2}) {
        FastOptions options;
        options.threads = threads;
        options.parallel_from = 0;
        options.split_slots = 64;
        expect_no_interference(*make_fast("fast", options));
    }
}

}  // namespace
}  // namespace kvcheck
