// SPDX-License-Identifier: Apache-2.0
// Attention of query rows to the blocks of one key/value head. For each block, and for each tile of
// six rows:
//
//      scores  [6][64]  =  query [6][Dk]  x  keys [Dk][64]          score step
//      hide what is not visible                                     visibility step
//      weights [6][64]  =  2^(scores - reference)                   softmax step
//      output  [6][Dv] +=  weights [6][64] x values [64][Dv]        value step
//
// A block is read from memory once and used for all rows while it is near. Blocks that no row sees
// are skipped, and so are the slots behind the last one that is seen.
#if defined(KVCHECK_FAST_ATTEND_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef KVCHECK_FAST_ATTEND_INL
#undef KVCHECK_FAST_ATTEND_INL
#else
#define KVCHECK_FAST_ATTEND_INL
#endif

#include <bit>

#include <hwy/highway.h>

#include "impl/fast/softmax-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kvcheck::fast::HWY_NAMESPACE {

/// What the rows of a tile see of a block.
template <int kRows>
struct Visible {
    std::uint64_t row[kRows];
    std::uint64_t any = 0;                  // slots that some row sees
    std::uint64_t all = ~std::uint64_t{0};  // slots that every row sees

    HWY_INLINE Visible(const HeadBlocks& blocks, const QueryRows& queries, Index block,
                       Index first_row) {
        for (int i = 0; i < kRows; ++i) {
            row[i] = visible_slots(blocks.real[block], block, queries.slot(first_row + i));
            any |= row[i];
            all &= row[i];
        }
    }
    /// Slots up to the last one that is seen.
    HWY_INLINE Index slots() const { return Index(std::bit_width(any)); }
    /// Slots from the first one on that every row sees.
    HWY_INLINE Index common() const { return Index(std::countr_one(all)); }
};

/// The score step and the visibility step: scores[kRows][64], hidden where not visible.
template <int kRows>
HWY_INLINE void score(const HeadBlocks& blocks, const QueryRows& queries, Index block, Index row,
                      const Visible<kRows>& visible, float* scores) {
    const Index width = blocks.key_width;
    multiply<Start::zero, kRows>({queries.query + row * width, width},
                                 {blocks.keys(block), block_slots, block_slots}, width,
                                 visible.slots(), {scores, block_slots});
    const Index columns = rounded_up(visible.slots(), lanes());
    if ((visible.all & low_bits(columns)) == low_bits(columns)) return;
    for (int i = 0; i < kRows; ++i) hide(scores + i * block_slots, visible.row[i], columns);
}

/// The value step: output += weights x values. The slots that every row sees come first; among the
/// others a row takes only what it sees, since what is hidden may hold NaN.
template <int kRows>
HWY_INLINE void add_values(const HeadBlocks& blocks, Index block, const Visible<kRows>& visible,
                           const float* weights, float* output, Index stride) {
    const Index slots = visible.slots();
    const Index common = std::min(visible.common(), slots);
    const Left left{weights, block_slots};
    for (Index panel = 0; panel < panel_count(blocks.value_width); ++panel) {
        const Panel<const float> values =
            panel_of<const float>(blocks.values(block), block_slots, blocks.value_width, panel);
        const Sums sums{output + panel * panel_columns, stride};
        if (common > 0) multiply<Start::add, kRows>(left, values, common, values.columns, sums);
        if (common == slots) continue;
        for_strips(values.columns,
                   MaskedStrip<kRows>{left, values, common, slots, visible.row, sums});
    }
}

/// One tile of one block.
struct AttendTile {
    const HeadBlocks& blocks;
    const QueryRows& queries;
    Index block;
    const Softmax& state;

    template <int kRows>
    HWY_INLINE void run(Index row) const {
        const Visible<kRows> visible(blocks, queries, block, row);
        if (visible.any == 0) return;
        HWY_ALIGN float scores[kRows * block_slots];
        score<kRows>(blocks, queries, block, row, visible, scores);
        const Index columns = rounded_up(visible.slots(), lanes());
        const Index stride = padded(blocks.value_width);
        raise_references<kRows>(scores, columns, state, row, stride);
        for (int i = 0; i < kRows; ++i) {
            weigh_row(scores + i * block_slots, columns, state, row + i);
        }
        add_values<kRows>(blocks, block, visible, scores, state.output + row * stride, stride);
    }
};

void attend(const HeadBlocks& blocks, const QueryRows& queries, Index first, Index last,
            const Softmax& state) {
    for (Index block = first; block < last; ++block) {
        for_tiles(queries.rows, AttendTile{blocks, queries, block, state});
    }
}

float finish(const Softmax& state, Index row, Index value_width, float dead) {
    const Floats d;
    const Index stride = padded(value_width);
    float* const output = state.output + row * stride;
    const float sum = hn::GetLane(hn::SumOfLanes(d, hn::Load(d, state.sum + row * sum_lanes)));
    if (sum == 0) {
        std::fill_n(output, value_width, dead);
        return 0;
    }
    multiply_by(output, stride, 1 / sum);
    return 1 / sum;
}

void merge(const Softmax& parts, Index count, Index part_rows, Index row, const Softmax& state,
           Index value_width) {
    const Floats d;
    const Index stride = padded(value_width);
    float largest = no_reference;
    for (Index part = 0; part < count; ++part) {
        largest = std::max(largest, parts.reference[part * part_rows + row]);
    }
    state.reference[row] = largest;
    for (Index part = 0; part < count; ++part) {
        const Index from = part * part_rows + row;
        const Vector factor = hn::Set(d, exp2_of_one(parts.reference[from] - largest));
        float* const sum = state.sum + row * sum_lanes;
        hn::Store(hn::MulAdd(factor, hn::Load(d, parts.sum + from * sum_lanes), hn::Load(d, sum)),
                  d, sum);
        for (Index i = 0; i < stride; i += lanes()) {
            float* const output = state.output + row * stride + i;
            const Vector add = hn::Load(d, parts.output + from * stride + i);
            hn::Store(hn::MulAdd(factor, add, hn::Load(d, output)), d, output);
        }
    }
}

/// The weights of one tile and block, formed again from the scores and the final reference.
struct WeighTile {
    const HeadBlocks& blocks;
    const QueryRows& queries;
    Index block;
    const float* reference;
    const float* scale;
    float* weights;

    template <int kRows>
    HWY_INLINE void run(Index row) const {
        const Floats d;
        float* const out = weights + row * block_slots;
        std::fill_n(out, kRows * block_slots, 0.0F);
        const Visible<kRows> visible(blocks, queries, block, row);
        if (visible.any == 0) return;
        HWY_ALIGN float scores[kRows * block_slots];
        score<kRows>(blocks, queries, block, row, visible, scores);
        const Index columns = rounded_up(visible.slots(), lanes());
        for (int i = 0; i < kRows; ++i) {
            for (Index column = 0; column < columns; column += lanes()) {
                const Index at = i * block_slots + column;
                const Vector difference =
                    hn::Sub(hn::Load(d, scores + at), hn::Set(d, reference[row + i]));
                const Vector weight = hn::Mul(exp2_of(difference), hn::Set(d, scale[row + i]));
                hn::Store(weight, d, out + at);
            }
        }
    }
};

void weigh(const HeadBlocks& blocks, const QueryRows& queries, Index block, const float* reference,
           const float* scale, float* weights) {
    for_tiles(queries.rows, WeighTile{blocks, queries, block, reference, scale, weights});
}

}  // namespace kvcheck::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
