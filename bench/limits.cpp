// SPDX-License-Identifier: Apache-2.0
// What the machine can do at most (declared in limits.hpp).
#include "bench/limits.hpp"

#define HWY_DISABLED_TARGETS \
    (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/limits.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace kvcheck::bench::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

double multiply_add(Index steps) {
    constexpr int sums = 12;  // enough for two units with a latency of four or five
    const hn::ScalableTag<float> d;
    const auto x = hn::Set(d, 0.5F);
    // Different beginnings, or the compiler would find that all sums are one.
    auto s0 = hn::Iota(d, 0), s1 = hn::Iota(d, 1), s2 = hn::Iota(d, 2), s3 = hn::Iota(d, 3);
    auto s4 = hn::Iota(d, 4), s5 = hn::Iota(d, 5), s6 = hn::Iota(d, 6), s7 = hn::Iota(d, 7);
    auto s8 = hn::Iota(d, 8), s9 = hn::Iota(d, 9), s10 = hn::Iota(d, 10), s11 = hn::Iota(d, 11);
    for (Index n = 0; n < steps; ++n) {
        s0 = hn::MulAdd(s0, x, x);
        s1 = hn::MulAdd(s1, x, x);
        s2 = hn::MulAdd(s2, x, x);
        s3 = hn::MulAdd(s3, x, x);
        s4 = hn::MulAdd(s4, x, x);
        s5 = hn::MulAdd(s5, x, x);
        s6 = hn::MulAdd(s6, x, x);
        s7 = hn::MulAdd(s7, x, x);
        s8 = hn::MulAdd(s8, x, x);
        s9 = hn::MulAdd(s9, x, x);
        s10 = hn::MulAdd(s10, x, x);
        s11 = hn::MulAdd(s11, x, x);
    }
    const auto even = hn::Add(hn::Add(hn::Add(s0, s2), hn::Add(s4, s6)), hn::Add(s8, s10));
    const auto odd = hn::Add(hn::Add(hn::Add(s1, s3), hn::Add(s5, s7)), hn::Add(s9, s11));
    volatile float kept = hn::GetLane(hn::Add(even, odd));
    (void)kept;
    return 2.0 * sums * double(hn::Lanes(d)) * double(steps);
}

float plain_read(const float* data, Index count) {
    const hn::ScalableTag<float> d;
    const Index lanes = Index(hn::Lanes(d));
    const Index stream = count / 4;
    auto s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0;
    constexpr Index ahead = 512;
    for (Index i = 0; i < stream; i += lanes) {
        const float* const at = data + i;
        __builtin_prefetch(at + ahead);
        __builtin_prefetch(at + stream + ahead);
        __builtin_prefetch(at + 2 * stream + ahead);
        __builtin_prefetch(at + 3 * stream + ahead);
        s0 = hn::Add(s0, hn::Load(d, at));
        s1 = hn::Add(s1, hn::Load(d, at + stream));
        s2 = hn::Add(s2, hn::Load(d, at + 2 * stream));
        s3 = hn::Add(s3, hn::Load(d, at + 3 * stream));
    }
    return hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(s0, s1), hn::Add(s2, s3))));
}

}  // namespace kvcheck::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace kvcheck::bench {

HWY_EXPORT(multiply_add);
HWY_EXPORT(plain_read);

double multiply_add(Index steps) { return HWY_DYNAMIC_DISPATCH(multiply_add)(steps); }
float plain_read(const float* data, Index count) {
    return HWY_DYNAMIC_DISPATCH(plain_read)(data, count);
}

}  // namespace kvcheck::bench
#endif
