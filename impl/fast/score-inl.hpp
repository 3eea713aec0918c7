// SPDX-License-Identifier: Apache-2.0
// What conventions do to the scores of one row of a tile, between the product and the softmax. All
// scores carry a factor of log2(e), and so do the cap and the slopes:
//
//      visible   slots up to the query's own, real, and inside the window or an anchor; in a tree
//                what is written down for each query
//      cap       s <- cap tanh(s / cap),   tanh t = (1 - e) / (1 + e) with e = 2^(-2 |t| log2(e))
//      slopes    s <- s + slope (id of the query - id of the key)
//
// The last two run over hidden slots, too, whose scores may be anything; they are hidden
// afterwards.
#if defined(KVCHECK_FAST_SCORE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef KVCHECK_FAST_SCORE_INL
#undef KVCHECK_FAST_SCORE_INL
#else
#define KVCHECK_FAST_SCORE_INL
#endif

#include <numbers>

#include <hwy/highway.h>

#include "impl/fast/exp2-inl.hpp"
#include "impl/fast/kernels.hpp"
#include "impl/fast/tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kvcheck::fast::HWY_NAMESPACE {

/// The lowest bits, `count` of them.
HWY_INLINE std::uint64_t low_bits(Index count) {
    return count >= block_slots ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

/// Bit s is set where the query sees slot s of the block.
HWY_INLINE std::uint64_t visible_slots(const HeadBlocks& blocks, Index block, Index query_slot,
                                       Index window) {
    const std::uint64_t real = blocks.real[block];
    const Index last = query_slot - block * block_slots;
    if (last < 0) return 0;
    const std::uint64_t seen = last >= block_slots - 1 ? real : real & low_bits(last + 1);
    const Index first = last - window + 1;
    if (HWY_LIKELY(first <= 0)) return seen;
    return seen & (~low_bits(first) | blocks.anchors[block]);
}

/// The same of a query of a tree.
HWY_INLINE std::uint64_t seen_slots(const QueryRows& queries, Index block, Index row) {
    if (block >= queries.seen_blocks) return 0;
    return queries.seen[row / queries.group * queries.seen_blocks + block];
}

HWY_INLINE void cap_scores(float* scores, Index columns, float cap) {
    const Floats d;
    const Vector one = hn::Set(d, 1.0F);
    const Vector size = hn::Set(d, cap);
    const Vector exponent = hn::Set(d, -2 * std::numbers::log2e_v<float> / cap);
    for (Index column = 0; column < columns; column += lanes()) {
        const Vector score = hn::Load(d, scores + column);
        const Vector e = exp2_of(hn::Mul(hn::Abs(score), exponent));
        const Vector tanh = hn::Div(hn::Sub(one, e), hn::Add(one, e));
        hn::Store(hn::CopySign(hn::Mul(size, tanh), score), d, scores + column);
    }
}

HWY_INLINE void add_slope(float* scores, Index columns, const float* ids, float query_id,
                          float slope) {
    const Floats d;
    const Vector id = hn::Set(d, query_id);
    const Vector factor = hn::Set(d, slope);
    for (Index column = 0; column < columns; column += lanes()) {
        const Vector distance = hn::Sub(id, hn::LoadU(d, ids + column));
        const Vector score = hn::Load(d, scores + column);
        hn::Store(hn::MulAdd(factor, distance, score), d, scores + column);
    }
}

}  // namespace kvcheck::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
