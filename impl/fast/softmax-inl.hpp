// SPDX-License-Identifier: Apache-2.0
// The online softmax of a tile, 6 query rows by the 64 slots of a block, between its two products:
//
//      scores [6][64]  --hide-->  -inf where the row does not see the slot
//                      --raise references-->  where a row's largest score is more than 2 above its
//                                             reference, that becomes the reference, and the row's
//                                             sum and output shrink by 2^(old - new)
//                      --weights-->  2^(score - reference), added to the row's sum
//
// The reference never exceeds the largest visible score and no weight exceeds 2^2. A row is
// only touched where its own reference rises, so its bits do not depend on the other rows.
#if defined(KVCHECK_FAST_SOFTMAX_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef KVCHECK_FAST_SOFTMAX_INL
#undef KVCHECK_FAST_SOFTMAX_INL
#else
#define KVCHECK_FAST_SOFTMAX_INL
#endif

#include <cstring>
#include <limits>

#include <hwy/highway.h>

#include "impl/fast/kernels.hpp"
#include "impl/fast/tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kvcheck::fast::HWY_NAMESPACE {

/// Scores that a row does not see become minus infinity.
HWY_INLINE void hide(float* scores, std::uint64_t visible, Index columns) {
    const Floats d;
    const Vector hidden = hn::Set(d, -std::numeric_limits<float>::infinity());
    for (Index column = 0; column < columns; column += lanes()) {
        const std::uint64_t bits = visible >> column;
        std::uint8_t bytes[8];
        std::memcpy(bytes, &bits, sizeof bytes);
        const auto seen = hn::LoadMaskBits(d, bytes);
        hn::Store(hn::IfThenElse(seen, hn::Load(d, scores + column), hidden), d, scores + column);
    }
}

HWY_INLINE void multiply_by(float* values, Index count, float factor) {
    const Floats d;
    const Vector f = hn::Set(d, factor);
    for (Index i = 0; i < count; i += lanes()) {
        hn::Store(hn::Mul(hn::Load(d, values + i), f), d, values + i);
    }
}

HWY_INLINE float exp2_of_one(float x) { return hn::GetLane(exp2_of(hn::Set(Floats(), x))); }

/// Brings one row to the higher reference `largest`.
HWY_INLINE void raise_reference(const Softmax& state, Index row, float largest, Index stride) {
    float& reference = state.reference[row];
    const float old = reference;
    reference = largest;
    if (old == no_reference) return;  // nothing to shrink yet
    const float factor = exp2_of_one(old - largest);
    multiply_by(state.sum + row * sum_lanes, lanes(), factor);
    multiply_by(state.output + row * stride, stride, factor);
}

/// Raises the references of the rows from `row` on to the largest of scores[kRows][64]. Mostly
/// none rises, which is found out without looking for the largest lane.
template <int kRows>
HWY_INLINE void raise_references(const float* scores, Index columns, const Softmax& state,
                                 Index row, Index stride) {
    const Floats d;
    Vector largest[kRows];
    auto any_rises = hn::Gt(hn::Zero(d), hn::Zero(d));
    HWY_UNROLL(8)
    for (int i = 0; i < kRows; ++i) {
        largest[i] = hn::Load(d, scores + i * block_slots);
        for (Index column = lanes(); column < columns; column += lanes()) {
            largest[i] = hn::Max(largest[i], hn::Load(d, scores + i * block_slots + column));
        }
        const Vector limit = hn::Set(d, state.reference[row + i] + reference_slack_bits);
        any_rises = hn::Or(any_rises, hn::Gt(largest[i], limit));
    }
    if (HWY_LIKELY(hn::AllFalse(d, any_rises))) return;
    HWY_UNROLL(8)
    for (int i = 0; i < kRows; ++i) {
        const Vector limit = hn::Set(d, state.reference[row + i] + reference_slack_bits);
        if (hn::AllFalse(d, hn::Gt(largest[i], limit))) continue;
        raise_reference(state, row + i, hn::GetLane(hn::MaxOfLanes(d, largest[i])), stride);
    }
}

/// Scores of the rows from `row` on become weights, which are added to the rows' sums. The first
/// columns of all rows come first, since the value step begins with them.
template <int kRows>
HWY_INLINE void weigh_rows(float* scores, Index columns, const Softmax& state, Index row) {
    const Floats d;
    float* const parts = state.sum + row * sum_lanes;
    Vector reference[kRows];
    Vector sum[kRows];
    HWY_UNROLL(8)
    for (int i = 0; i < kRows; ++i) {
        reference[i] = hn::Set(d, state.reference[row + i]);
        sum[i] = hn::Load(d, parts + i * sum_lanes);
    }
    for (Index column = 0; column < columns; column += lanes()) {
        HWY_UNROLL(8)
        for (int i = 0; i < kRows; ++i) {
            float* const at = scores + i * block_slots + column;
            const Vector weight = exp2_of(hn::Sub(hn::Load(d, at), reference[i]));
            hn::Store(weight, d, at);
            sum[i] = hn::Add(sum[i], weight);
        }
    }
    HWY_UNROLL(8)
    for (int i = 0; i < kRows; ++i) hn::Store(sum[i], d, parts + i * sum_lanes);
}

}  // namespace kvcheck::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
