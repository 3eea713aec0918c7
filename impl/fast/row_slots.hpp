// SPDX-License-Identifier: Apache-2.0
// What one row knows of its slots: which block holds them, and for each block a mask with a bit a
// slot. It belongs to the row and not to the block, since rows that share a block may see different
// slots of it. A copy is a row with the same past; the counts of its blocks are the cache's affair.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "impl/fast/kernels.hpp"

namespace kvcheck::fast {

class RowSlots {
public:
    /// A table of `blocks` blocks; memory is asked for here and never later.
    RowSlots(const Spec& spec, Index blocks);

    Index length() const { return length_; }
    /// Real tokens, evicted ones included.
    Index real_count() const { return real_count_; }
    /// Of the token that would follow the last one; below zero after a truncate of a row that was
    /// shifted further.
    Index next_id() const { return id_after(length_ - 1); }
    /// Ids of tokens that come next.
    std::vector<Index> ids_of_next(std::span<const std::uint8_t> real,
                                   std::span<const Index> back) const;
    /// The slot that the token of a slot follows; -1: none.
    Index parent(Index slot) const;
    /// Some token follows another one than the slot before it.
    bool is_tree() const { return !branches_.empty(); }
    /// What the query in a slot of a tree sees, seen[blocks()]: of its path those that are real,
    /// not evicted, and within `window` tokens of its end or anchors.
    void see(Index slot, Index window, std::uint64_t* seen) const;
    /// Real tokens that are not evicted.
    Index visible_count() const;
    Index evicted_count() const;
    /// The lowest id of a token that is seen, or the next one.
    Index lowest_id() const;
    Index shift() const { return shift_; }
    bool is_finished() const { return finished_; }

    /// Blocks that hold slots 0 ... length - 1, those that were given back included.
    Index blocks() const { return (length_ + block_slots - 1) / block_slots; }
    /// The row's block b, null_block where all of its slots were evicted.
    std::uint32_t block(Index b) const { return table_[std::size_t(b)]; }
    void set_block(Index b, std::uint32_t block) { table_[std::size_t(b)] = block; }
    /// Slots of block b whose key and value may still be asked for: appended and not evicted.
    std::uint64_t retained(Index b) const;
    /// True where every slot of block b is appended and evicted.
    bool is_evicted(Index b) const { return evicted_[std::size_t(b)] == ~std::uint64_t{0}; }
    bool is_evicted_slot(Index slot) const {
        return (evicted_[std::size_t(slot / block_slots)] >> (slot % block_slots) & 1) != 0;
    }
    bool is_real_slot(Index slot) const {
        return (real_[std::size_t(slot / block_slots)] >> (slot % block_slots) & 1) != 0;
    }
    /// Blocks up to the one that holds the last anchor.
    Index anchor_blocks() const;
    /// Of a slot's token.
    Index id(Index slot) const {
        return ids_.empty() ? id_after(parent(slot)) : Index(ids_[std::size_t(slot)]);
    }

    /// Gives the row slots for tokens of one block, whose table entry is set. 0 is padding. `back`
    /// says how many slots before each its parent is; empty: 1.
    void append(std::span<const std::uint8_t> real, std::span<const Index> back = {});
    /// Needs: no more than the length.
    void truncate(Index length);
    /// Needs: slots of the row.
    void evict(Index begin, Index end);
    void finish() { finished_ = true; }
    /// The same tokens in a row that grows on.
    RowSlots as_prefix() const {
        RowSlots prefix = *this;
        prefix.finished_ = false;
        return prefix;
    }
    /// Lowers the ids of all tokens, those to come included.
    void shift(Index by);
    void reset();

    /// Fills in the table, the masks and the ids.
    void describe(HeadBlocks& blocks) const;
    Index bytes() const;

private:
    /// A token that does not follow the slot before it.
    struct Branch {
        Index slot;
        Index parent;  // -1: none
    };
    /// Calls visit(begin, end) for the stretches of slots of the path that ends with `last`, the
    /// last one first.
    template <class Visit>
    void for_each_stretch(Index last, const Visit& visit) const;
    void write_ids(std::span<const std::uint8_t> real, std::span<const Index> back);
    Index real_in(Index begin, Index end) const;
    /// Of a token that follows the one in slot `last`; -1: none.
    Index id_after(Index last) const;

    std::vector<std::uint32_t> table_;    // [blocks]
    std::vector<std::uint64_t> real_;     // [blocks] as it was appended
    std::vector<std::uint64_t> evicted_;  // [blocks]
    std::vector<std::uint64_t> visible_;  // [blocks] real and not evicted
    std::vector<std::uint64_t> anchors_;  // [blocks] the first real tokens, less evicted ones
    std::vector<float> ids_;              // [slots in blocks] where there are positions
    std::vector<Branch> branches_;        // in the order of slots
    Index anchors_max_;
    PositionIds position_ids_;
    Index length_ = 0;
    Index real_count_ = 0;
    bool finished_ = false;
    Index shift_ = 0;  // off every id
};

}  // namespace kvcheck::fast
