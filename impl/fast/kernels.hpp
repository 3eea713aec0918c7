// SPDX-License-Identifier: Apache-2.0
// What the arithmetic of this subject consists of, as plain functions that exist once for each
// instruction set. `targets()` lists those that this machine can run. Everything around them
// (admission, storage, how work is cut into tasks) is ordinary code that is compiled once.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "model/types/spec.hpp"

namespace kvcheck::fast {

constexpr Index block_slots = 64;  // slots of a block, and bits of its mask
constexpr Index sum_lanes = 16;    // partial sums of a softmax; no vector here has more lanes

/// One key/value head of one row.
struct HeadBlocks {
    float* pool;                   // block 0 of the pool, at this head
    const std::uint32_t* table;    // [blocks] place of each block in the pool
    const std::uint64_t* real;     // [blocks] bit s: slot s of the block is real and not evicted
    const std::uint64_t* anchors;  // [blocks] likewise, where a window leaves it visible
    const float* ids;              // [slots] position ids; null where there are no slopes
    Index block_floats;            // from block to block of the pool
    Index value_offset;            // from a block's keys to its values
    Index key_width;
    Index value_width;
    Index entry_bytes;   // of a stored number
    Index scale_offset;  // of int8: from a block's keys to their scales, of values after them

    /// Blocks are addressed in floats, whatever their entries are.
    float* at(Index block) const { return pool + Index(table[block]) * block_floats; }
    template <class Entry>
    Entry* keys(Index block) const {
        return reinterpret_cast<Entry*>(at(block));
    }
    float* key_scales(Index block) const { return at(block) + scale_offset; }
    float* value_scales(Index block) const { return key_scales(block) + block_slots; }
    template <class Entry>
    Entry* values(Index block) const {
        return reinterpret_cast<Entry*>(at(block) + value_offset);
    }
};

/// Query rows that read the same head: token after token, and for each token the query heads of
/// the group. Row i belongs to the query in slot first_slot + i / group.
struct QueryRows {
    Index rows;
    Index group;
    Index first_slot;
    const float* query;   // [rows][key_width], already times scale * log2(e)
    Index window;         // a query in slot p sees no slot before p - window + 1 but anchors
    float cap;            // c * log2(e), of scores; 0: none
    const float* slopes;  // [group] -slope * log2(e), added once a position of distance; or null
    const std::uint64_t* seen;  // [rows / group][seen_blocks] what each query of a tree sees in
                                // place of real, anchors and window; or null
    Index seen_blocks;

    Index slot(Index row) const { return first_slot + row / group; }
};

/// A window that hides nothing; small enough for sums with it.
constexpr Index no_window = Index{1} << 40;

/// The reference of a row that has seen no key. Finite, so that minus infinity less this is minus
/// infinity and not NaN.
constexpr float no_reference = std::numeric_limits<float>::lowest();

/// A score may exceed its row's reference by this much before the reference rises to it: a weight
/// is at most 2^2. Rising costs a pass over the row's output, and a branch that no processor
/// foresees.
constexpr int reference_slack_bits = 2;

/// The state of an online softmax: sum = sum of 2^(score - reference), output = the same times v.
/// A fresh one has zeros and no_reference, or, where there is a sink, its score as reference and a
/// sum of 1.
struct Softmax {
    float* output;     // [rows][padded(value_width)]
    float* reference;  // [rows] the largest score so far, or up to reference_slack_bits less
    float* sum;        // [rows][sum_lanes] parts of the sum
};

/// An array [tokens][heads][width] with any strides, counted in floats.
template <class Float>
struct Strided {
    Float* data;
    Index token;
    Index head;
    Index element;
};

/// Rows [tokens][group][width] of a caller's array that are needed soon. Zero tokens: none.
struct Upcoming {
    Strided<const float> rows;
    Index tokens;
    Index group;
    Index width;
};

struct Kernels {
    /// Adds the blocks first ... last - 1 of `blocks` to the softmax of each query row. Meanwhile
    /// the rows of `upcoming` are fetched into the second cache.
    void (*attend)(const HeadBlocks& blocks, const QueryRows& queries, Index first, Index last,
                   const Softmax& state, const Upcoming (&upcoming)[2]);

    /// Brings the softmax of all rows to its end: out = output / sum, or `dead` where no key was
    /// seen. `scale` gets 1 / sum of each row, or 0.
    void (*finish)(const Softmax& state, const QueryRows& queries, Index value_width, float dead,
                   const Strided<float>& out, float* scale);

    /// Adds the states `parts`, one row each, to one row of `state`, which must be fresh.
    void (*merge)(const Softmax& parts, Index count, Index part_rows, Index row,
                  const Softmax& state, Index value_width);

    /// The weights of the slots of one block: weights[row][slot] = 2^(score - reference) * scale,
    /// zero where the query does not see the slot.
    void (*weigh)(const HeadBlocks& blocks, const QueryRows& queries, Index block,
                  const float* reference, const float* scale, float* weights);

    /// One panel of outputs of a projection: out[row][column] = bias[column] + sum over inputs.
    /// `weight` is [inputs][stride], `bias` may be null.
    void (*project)(const float* in, Index in_stride, Index rows, Index inputs, const float* weight,
                    Index stride, Index columns, const float* bias, float* out, Index out_stride);

    /// Writes tokens into the slots from `slot` on.
    void (*store)(const HeadBlocks& blocks, Index slot, Index count,
                  const Strided<const float>& key, const Strided<const float>& value);

    /// out[i] = in[i] * factor: the query rows of one token's group, made dense.
    void (*gather)(const Strided<const float>& query, Index tokens, Index group, Index width,
                   float factor, float* out);

    /// 2^x of `count` numbers not above 0, in place: what the softmax uses, for tests.
    void (*exp2)(float* values, Index count);

    bool fused;   // multiply-add rounds once
    Index lanes;  // floats of a vector
};

struct Target {
    std::string_view name;   // as Highway spells it: AVX3, AVX2, SSE4, NEON, EMU128 (plain C++)
    const Kernels* kernels;  // of blocks of floats
    /// Of all kinds of blocks; attend, weigh and store differ.
    std::array<const Kernels*, 4> by_storage;

    const Kernels& of(Storage storage) const { return *by_storage[std::size_t(storage)]; }
};

/// Best first; never empty.
const std::vector<Target>& targets();

}  // namespace kvcheck::fast
