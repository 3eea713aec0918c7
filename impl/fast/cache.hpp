// SPDX-License-Identifier: Apache-2.0
// The stored keys and values of all rows. Memory is one pool of blocks; a block holds 64 slots of
// one row with all key/value heads, and a row's table says which block holds its slots 64 b to
// 64 b + 63. A row takes blocks as it grows and gives them back when it is reset. Nothing is
// allocated after construction.
//
//      row 0   table  7  2            slots 0 ... 63 are in block 7, 64 ... in block 2
//      block   head 0: K^T [Dk][64]  V [64][Dv] in panels   head 1: K^T  V   ...
//
// Its entries are floats, or of 16 or 8 bits where storage is narrow; sizes count floats all the
// same. After each head of int8 stand the scales of its 64 keys, then those of the values.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "impl/fast/kernels.hpp"
#include "impl/fast/panels.hpp"

namespace kvcheck::fast {

class Cache {
public:
    explicit Cache(const Spec& spec);

    Index length(Index row) const { return lengths_[std::size_t(row)]; }
    const std::vector<Index>& lengths() const { return lengths_; }
    /// Real tokens of the row.
    Index visible(Index row) const { return visible_[std::size_t(row)]; }

    /// Gives the row `real.size()` more slots; what they hold is written by `store`. They must fit
    /// into the capacity. An entry of `real` is 0 for padding.
    void grow(Index row, std::span<const std::uint8_t> real);

    /// Forgets the row's tokens.
    void reset(Index row);

    /// Of a slot's token; only where the spec has positions.
    Index id(Index row, Index slot) const {
        return Index(ids_[std::size_t(row * blocks_per_row_ * block_slots + slot)]);
    }

    /// Blocks up to the one that holds the row's last anchor.
    Index anchor_blocks(Index row) const;

    /// What a kernel needs to read, or to write, one head of a row.
    HeadBlocks head(Index row, Index head) const;

    /// An element of a stored key or value, where it is a float; the slot's block must be the
    /// row's.
    float* key(Index row, Index head, Index slot, Index element) const;
    float* value(Index row, Index head, Index slot, Index element) const;
    /// Its number, whatever it is stored as.
    float stored_key(Index row, Index head, Index slot, Index element) const;
    float stored_value(Index row, Index head, Index slot, Index element) const;

    /// Overwrites all memory that holds no token.
    void poison_unused(float pattern);

private:
    float* block(Index row, Index slot) const {
        const Index index = row * blocks_per_row_ + slot / block_slots;
        return memory_.data() + Index(table_[std::size_t(index)]) * block_floats_;
    }

    /// Where it is stored.
    template <class Entry>
    Entry* key_at(Index row, Index head, Index slot, Index element) const;
    template <class Entry>
    Entry* value_at(Index row, Index head, Index slot, Index element) const;
    template <class Entry>
    void poison_entries(const Entry& poison);
    void poison_scales(float pattern);

    Storage storage_;
    Index kv_heads_;
    Index key_width_;
    Index value_width_;
    Index key_floats_;   // of one head in a block
    Index head_floats_;  // keys and values
    Index block_floats_;
    Index blocks_per_row_;
    Memory memory_;
    std::vector<std::uint32_t> free_;   // blocks that no row has; the last one is taken first
    std::vector<std::uint32_t> table_;  // [rows][blocks per row]
    std::vector<std::uint64_t> real_;   // [rows][blocks per row], a bit a slot
    std::vector<std::uint64_t>
        anchors_;             // likewise, the first real tokens, as many as the spec says
    std::vector<float> ids_;  // [rows][slots in blocks] where there are slopes
    Index anchors_max_;
    PositionIds position_ids_;
    std::vector<Index> lengths_;  // [rows]
    std::vector<Index> visible_;  // [rows]
};

}  // namespace kvcheck::fast
