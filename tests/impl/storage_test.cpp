// SPDX-License-Identifier: Apache-2.0
// Narrow storage of the two built-in subjects: each rounding against the slow definition, and every
// instruction set against the numbers that were stored.
#include <gtest/gtest.h>

#include "bench/dense_call.hpp"
#include "impl/fast/fast.hpp"
#include "impl/fast/narrow.hpp"
#include "impl/plain/storage.hpp"
#include "tests/narrow_numbers.hpp"

namespace kvcheck {
namespace {

TEST(PlainStorage, TakesTheNearestOfAllPatterns) {
    for (const Storage storage : {Storage::bf16, Storage::fp16}) {
        expect_nearest_of_all_patterns(storage,
                                       [&](float x) { return narrowed(storage, double(x)); });
    }
}

TEST(PlainStorage, RoundsADoubleOnce) {
    // Above the middle of two numbers, and its float is the middle.
    EXPECT_EQ(narrowed(Storage::bf16, 1 + 0x1p-8 + 0x1p-50), 1 + 0x1p-7);
    EXPECT_EQ(narrowed(Storage::fp16, 1 + 0x1p-11 + 0x1p-50), 1 + 0x1p-10);
}

TEST(FastStorage, TakesTheNearestOfAllPatterns) {
    expect_nearest_of_all_patterns(
        Storage::bf16, [](float x) { return double(fast::widen(fast::narrow<fast::Bf16>(x))); });
    expect_nearest_of_all_patterns(
        Storage::fp16, [](float x) { return double(fast::widen(fast::narrow<fast::Half>(x))); });
}

TEST(FastStorage, KeepsTheSignOfZero) {
    EXPECT_TRUE(std::signbit(fast::widen(fast::narrow<fast::Bf16>(-0.0F))));
    EXPECT_TRUE(std::signbit(fast::widen(fast::narrow<fast::Half>(-0.0F))));
    EXPECT_TRUE(std::signbit(fast::widen(fast::narrow<fast::Half>(-0x1p-30F))));
}

/// A session of one head whose token has the value `values`, and its output, which is that value as
/// it was stored and is widened by the kernel.
std::vector<float> one_token(Subject& subject, Storage storage, const std::vector<float>& values) {
    Spec spec;
    spec.storage = storage;
    spec.value_width = Index(values.size());
    const Opened opened = subject.open(spec, {});
    EXPECT_TRUE(opened.status.ok()) << opened.status.message;
    DenseCall call(spec, 1);
    std::copy(values.begin(), values.end(), call.input(2).begin());
    EXPECT_TRUE(opened.session->append(call.call()).ok());
    return {call.output().begin(), call.output().end()};
}

TEST(FastStorage, WidensEveryNumberRightOnEveryInstructionSet) {
    for (const std::string& target : fast_targets()) {
        FastOptions options;
        options.target = target;
        const auto subject = make_fast("fast", options);
        for (const Storage storage : {Storage::bf16, Storage::fp16}) {
            std::vector<float> all;
            // Numbers whose product with a weight of one is exact.
            for (unsigned bits = 0; bits < bits_of_infinity(storage); ++bits) {
                const double number = narrow_number(storage, bits);
                all.push_back(float(bits % 2 == 0 ? number : -number));
            }
            EXPECT_EQ(one_token(*subject, storage, all), all) << target;
        }
    }
}

TEST(FastStorage, TakesEveryIntegerOnEveryInstructionSet) {
    // The largest is 127 times a power of two, which is then the scale; others are near integers.
    std::vector<float> given;
    std::vector<float> stored;
    for (int code = -127; code <= 127; ++code) {
        for (const float beside : {-0.4375F, 0.0F, 0.4375F}) {
            if (std::fabs(float(code) + beside) > 127) continue;
            given.push_back(0.25F * (float(code) + beside));
            stored.push_back(0.25F * float(code));
        }
    }
    for (const std::string& target : fast_targets()) {
        FastOptions options;
        options.target = target;
        EXPECT_EQ(one_token(*make_fast("fast", options), Storage::int8, given), stored) << target;
    }
}

TEST(FastStorage, RoundsQuotientsToEvenAndWithinTheRange) {
    EXPECT_EQ(fast::int8_of(2.5F).code, 2);
    EXPECT_EQ(fast::int8_of(3.5F).code, 4);
    EXPECT_EQ(fast::int8_of(-2.5F).code, -2);
    EXPECT_EQ(fast::int8_of(127.00002F).code, 127);
    EXPECT_EQ(fast::int8_of(-254.0F).code, -127);
}

}  // namespace
}  // namespace kvcheck
