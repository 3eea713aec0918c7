// SPDX-License-Identifier: Apache-2.0
// Attention of query rows to the blocks of one key/value head. For each block, and for each tile of
// six rows:
//
//      scores  [6][64]  =  query [6][Dk]  x  keys [Dk][64]          score step
//      cap, add slopes, hide what is not visible                    score-inl.hpp
//      weights [6][64]  =  2^(scores - reference)                   softmax step
//      output  [6][Dv] +=  weights [6][64] x values [64][Dv]        value step
//
// A block holds floats, or narrower entries that are widened as they are loaded: `Entry`. The
// scales of int8 are applied to scores and to weights. A block is read from memory once and used
// for all rows while it is near. Blocks that no row sees are skipped, and so are the slots behind
// the last one that is seen.
#if defined(KVCHECK_FAST_ATTEND_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef KVCHECK_FAST_ATTEND_INL
#undef KVCHECK_FAST_ATTEND_INL
#else
#define KVCHECK_FAST_ATTEND_INL
#endif

#include <bit>
#include <type_traits>

#include <hwy/highway.h>

#include "impl/fast/move-inl.hpp"
#include "impl/fast/score-inl.hpp"
#include "impl/fast/softmax-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kvcheck::fast::HWY_NAMESPACE {

/// What the rows of a tile see of a block.
template <int kRows>
struct Visible {
    std::uint64_t row[kRows];
    std::uint64_t any;  // slots that some row sees
    std::uint64_t all;  // slots that every row sees

    HWY_INLINE Visible(const HeadBlocks& blocks, const QueryRows& queries, Index block,
                       Index first_row) {
        if (queries.seen != nullptr) {
            any = 0;
            all = ~std::uint64_t{0};
            for (int i = 0; i < kRows; ++i) {
                row[i] = seen_slots(queries, block, first_row + i);
                any |= row[i];
                all &= row[i];
            }
            return;
        }
        const Index slot = queries.slot(first_row);
        any = all = visible_slots(blocks, block, slot, queries.window);
        for (int i = 0; i < kRows; ++i) row[i] = all;
        // Once the first row sees all of the block, and the last one still does, so do the others.
        const Index left_behind = queries.slot(first_row + kRows - 1) - queries.window;
        if (slot >= (block + 1) * block_slots - 1 && left_behind < block * block_slots) return;
        for (int i = 1; i < kRows; ++i) {
            row[i] = visible_slots(blocks, block, queries.slot(first_row + i), queries.window);
            any |= row[i];
            all &= row[i];
        }
    }
    /// Slots up to the last one that is seen.
    HWY_INLINE Index slots() const { return Index(std::bit_width(any)); }
    /// Slots from the first one on that every row sees.
    HWY_INLINE Index common() const { return Index(std::countr_one(all)); }
};

/// numbers[kRows][64] times the scale of each column, into `out`.
template <int kRows>
HWY_INLINE void times_scales(const float* numbers, const float* scales, Index columns, float* out) {
    const Floats d;
    for (Index column = 0; column < columns; column += lanes()) {
        const Vector scale = hn::Load(d, scales + column);
        HWY_UNROLL(8)
        for (int i = 0; i < kRows; ++i) {
            const Index at = i * block_slots + column;
            hn::Store(hn::Mul(hn::Load(d, numbers + at), scale), d, out + at);
        }
    }
}

/// The score step and what conventions do to it: scores[kRows][64], hidden where not visible.
template <class Entry, int kRows, class Fetch>
HWY_INLINE void score(const HeadBlocks& blocks, const QueryRows& queries, Index block, Index row,
                      const Visible<kRows>& visible, float* scores, const Fetch& ahead) {
    const Index width = blocks.key_width;
    multiply<Start::zero, kRows>(
        {queries.query + row * width, width},
        Panel<const Entry>{blocks.keys<const Entry>(block), block_slots, block_slots}, width,
        visible.slots(), {scores, block_slots}, ahead);
    const Index columns = rounded_up(visible.slots(), lanes());
    if constexpr (std::is_same_v<Entry, Int8>) {
        times_scales<kRows>(scores, blocks.key_scales(block), columns, scores);
    }
    if (queries.cap > 0) {
        for (int i = 0; i < kRows; ++i) cap_scores(scores + i * block_slots, columns, queries.cap);
    }
    if (queries.slopes != nullptr) {
        for (int i = 0; i < kRows; ++i) {
            add_slope(scores + i * block_slots, columns, blocks.ids + block * block_slots,
                      blocks.ids[queries.slot(row + i)], queries.slopes[(row + i) % queries.group]);
        }
    }
    if ((visible.all & low_bits(columns)) == low_bits(columns)) return;
    for (int i = 0; i < kRows; ++i) hide(scores + i * block_slots, visible.row[i], columns);
}

/// The value step: output += weights x values. The slots that every row sees come first; among the
/// others a row takes only what it sees, since what is hidden may hold NaN.
template <class Entry, int kRows, class Fetch>
HWY_INLINE void add_values(const HeadBlocks& blocks, Index block, const Visible<kRows>& visible,
                           const float* weights, float* output, Index stride, Fetch ahead) {
    const Index slots = visible.slots();
    const Index common = std::min(visible.common(), slots);
    // What is hidden may have any scale; only its own row would take it, and does not.
    HWY_ALIGN float scaled[std::is_same_v<Entry, Int8> ? kRows * block_slots : 1];
    if constexpr (std::is_same_v<Entry, Int8>) {
        times_scales<kRows>(weights, blocks.value_scales(block), rounded_up(slots, lanes()),
                            scaled);
    }
    const Left left{std::is_same_v<Entry, Int8> ? scaled : weights, block_slots};
    for (Index panel = 0; panel < panel_count(blocks.value_width); ++panel) {
        const Panel<const Entry> values =
            panel_of(blocks.values<const Entry>(block), block_slots, blocks.value_width, panel);
        const Sums sums{output + panel * panel_columns, stride};
        if (common > 0) {
            multiply<Start::add, kRows>(left, values, common, values.columns, sums, ahead);
            ahead.data += common * Fetch::lines * ahead.step;
        }
        if (common == slots) continue;
        for_strips(values.columns,
                   MaskedStrip<kRows, Entry>{left, values, common, slots, visible.row, sums});
    }
}

/// One tile of one block. While it is computed, what comes next is fetched into the second cache: a
/// share of the next block, or, where this is the only tile, this block's values and then the next
/// block's keys.
template <class Entry, bool kOnly>
struct AttendTile {
    const HeadBlocks& blocks;
    const QueryRows& queries;
    Index block;
    const float* next;  // block, or null; what is fetched has an address and no type
    const Softmax& state;
    UpcomingRows& upcoming;

    static constexpr int far_lines = kOnly ? int(sizeof(Entry)) : 1;
    using Fetch = Ahead<far_lines>;

    template <int kRows>
    HWY_NOINLINE void run(Index row) const {
        const Visible<kRows> visible(blocks, queries, block, row);
        upcoming.fetch_share();
        if (visible.any == 0) return;
        HWY_ALIGN float scores[kRows * block_slots];
        const Index stride = padded(blocks.value_width);
        float* const output = state.output + row * stride;
        score<Entry>(blocks, queries, block, row, visible, scores, beside_scores(row));
        const Index columns = rounded_up(visible.slots(), lanes());
        raise_references<kRows>(scores, columns, state, row, stride);
        weigh_rows<kRows>(scores, columns, state, row);
        add_values<Entry>(blocks, block, visible, scores, output, stride, beside_values(row));
    }

    /// The share of the next block that falls to the tile at `row`.
    HWY_INLINE const float* share(Index row) const {
        const Index lines = blocks.key_width + block_slots;
        const Index first = row / tile_rows * lines * cache_line_floats;
        const Index size = block_slots * (blocks.key_width + padded(blocks.value_width)) *
                           Index(sizeof(Entry)) / Index(sizeof(float));
        return next == nullptr || first >= size ? nullptr : next + first;
    }
    HWY_INLINE Fetch beside_scores(Index row) const {
        return fetch(kOnly ? blocks.values<const float>(block) : share(row));
    }
    HWY_INLINE Fetch beside_values(Index row) const {
        const float* far = kOnly ? next : share(row);
        if (!kOnly && far != nullptr) far += blocks.key_width * cache_line_floats;
        return fetch(far);
    }
    /// Where nothing is to be fetched, the queries are fetched again and again.
    HWY_INLINE Fetch fetch(const float* data) const {
        if (data == nullptr) return {queries.query, 0};
        return {data, cache_line_floats};
    }
};

template <class Entry, bool kOnly>
HWY_INLINE void attend_blocks(const HeadBlocks& blocks, const QueryRows& queries, Index first,
                              Index last, const Softmax& state, const Upcoming (&upcoming)[2]) {
    const Index tiles = (queries.rows + tile_rows - 1) / tile_rows;
    UpcomingRows rows(upcoming, tiles * (last - first));
    for (Index block = first; block < last; ++block) {
        const float* const next = block + 1 < last ? blocks.at(block + 1) : nullptr;
        for_tiles(queries.rows,
                  AttendTile<Entry, kOnly>{blocks, queries, block, next, state, rows});
    }
}

template <class Entry>
void attend(const HeadBlocks& blocks, const QueryRows& queries, Index first, Index last,
            const Softmax& state, const Upcoming (&upcoming)[2]) {
    if (queries.rows <= tile_rows) {
        attend_blocks<Entry, true>(blocks, queries, first, last, state, upcoming);
    } else {
        attend_blocks<Entry, false>(blocks, queries, first, last, state, upcoming);
    }
}

inline void finish(const Softmax& state, const QueryRows& queries, Index value_width, float dead,
                   const Strided<float>& out, float* scale) {
    const Floats d;
    const Index stride = padded(value_width);
    float* token = out.data;
    for (Index row = 0; row < queries.rows; token += out.token) {
        float* to = token;
        for (Index head = 0; head < queries.group; ++head, ++row, to += out.head) {
            float* const output = state.output + row * stride;
            const float* const parts = state.sum + row * sum_lanes;
            const float sum = hn::GetLane(hn::SumOfLanes(d, hn::Load(d, parts)));
            scale[row] = sum == 0 ? 0 : 1 / sum;
            if (sum == 0) {
                for (Index i = 0; i < value_width; ++i) to[i * out.element] = dead;
            } else if (out.element == 1) {
                scale_row(output, value_width, scale[row], to);
            } else {
                for (Index i = 0; i < value_width; ++i) {
                    to[i * out.element] = output[i] * scale[row];
                }
            }
        }
    }
}

inline void merge(const Softmax& parts, Index count, Index part_rows, Index row,
                  const Softmax& state, Index value_width) {
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
template <class Entry>
struct WeighTile {
    const HeadBlocks& blocks;
    const QueryRows& queries;
    Index block;
    const float* reference;
    const float* scale;
    float* weights;

    template <int kRows>
    HWY_NOINLINE void run(Index row) const {
        const Floats d;
        float* const out = weights + row * block_slots;
        std::fill_n(out, kRows * block_slots, 0.0F);
        const Visible<kRows> visible(blocks, queries, block, row);
        if (visible.any == 0) return;
        HWY_ALIGN float scores[kRows * block_slots];
        score<Entry>(blocks, queries, block, row, visible, scores, Nothing());
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

template <class Entry>
void weigh(const HeadBlocks& blocks, const QueryRows& queries, Index block, const float* reference,
           const float* scale, float* weights) {
    for_tiles(queries.rows, WeighTile<Entry>{blocks, queries, block, reference, scale, weights});
}

}  // namespace kvcheck::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
