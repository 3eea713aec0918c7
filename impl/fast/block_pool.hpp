// SPDX-License-Identifier: Apache-2.0
// Blocks of equal size in one piece of memory. Each has a reference count, the number of places in
// rows' tables where it stands; a block with a count of zero is on the free list. What a block
// holds is not known here (cache.hpp).
//
//      fork      both tables name the same blocks           count 2
//      append    into a block with a count of 2: its        counts 1 and 1
//                copy is taken first (copy on write)
//      truncate, reset, reorder, evict: counts fall         0: back on the free list
#pragma once

#include <cstdint>
#include <vector>

#include "impl/fast/memory.hpp"

namespace kvcheck::fast {

/// Stands in a table where a row has no block any more. It is memory, so that its address may be
/// formed and fetched; it holds nothing but poison, and no slot of it is ever visible.
constexpr std::uint32_t null_block = 0;

class BlockPool {
public:
    /// Room for `blocks` blocks of `block_floats` floats. Throws std::bad_alloc.
    BlockPool(Index block_floats, Index blocks);

    /// Block 0; block b begins b * block_floats() floats behind it. Moves when room is made.
    float* data() const { return memory_.data(); }
    Index block_floats() const { return block_floats_; }
    float* block(std::uint32_t number) const { return data() + Index(number) * block_floats_; }

    /// Blocks that may be taken in all, and those that are.
    Index blocks() const { return Index(references_.size()) - 1; }
    Index blocks_in_use() const { return blocks() - Index(free_.size()); }
    Index bytes() const;

    /// Room for at least `blocks` blocks; contents and numbers of those in use stay. Throws
    /// std::bad_alloc, and nothing is changed then. Nothing else here asks for memory.
    void make_room(Index blocks);

    /// A free block, with a count of 1. Needs: there is one.
    std::uint32_t take();
    void hold(std::uint32_t block);
    void release(std::uint32_t block);
    bool is_shared(std::uint32_t block) const { return references_[block] > 1; }

    /// A copy that the caller holds in place of `block`. Needs: a free block.
    std::uint32_t exchange_for_copy(std::uint32_t block);

private:
    void add_free(Index first);

    Index block_floats_;
    Memory memory_;
    std::vector<std::uint32_t> references_;  // [null block and blocks]
    std::vector<std::uint32_t> free_;        // the last one is taken first
};

}  // namespace kvcheck::fast
