// SPDX-License-Identifier: Apache-2.0
// Reference counts and the free list (declared in block_pool.hpp).
#include "impl/fast/block_pool.hpp"

#include <algorithm>
#include <utility>

#include "model/types/assert.hpp"

namespace kvcheck::fast {

BlockPool::BlockPool(Index block_floats, Index blocks)
    : block_floats_(block_floats),
      memory_((blocks + 1) * block_floats),
      references_(std::size_t(blocks + 1)) {
    free_.reserve(std::size_t(blocks));
    add_free(1);
}

/// Puts the blocks from `first` on on the free list, so that `first` is taken next.
void BlockPool::add_free(Index first) {
    const auto old_end = Index(free_.size());
    for (Index block = blocks(); block >= first; --block) free_.push_back(std::uint32_t(block));
    // Blocks that were used before are near, so they are taken before new ones.
    std::rotate(free_.begin(), free_.begin() + old_end, free_.end());
}

Index BlockPool::bytes() const {
    return memory_.size() * Index(sizeof(float)) +
           Index(references_.capacity() + free_.capacity()) * Index(sizeof(std::uint32_t));
}

void BlockPool::make_room(Index blocks) {
    if (blocks <= this->blocks()) return;
    // Twice as many, so that rows that come one by one do not each copy all that there is.
    const Index old = this->blocks();
    const Index room = std::max(blocks, 2 * old);
    Memory larger((room + 1) * block_floats_);
    free_.reserve(std::size_t(room));
    references_.resize(std::size_t(room + 1));
    for (Index b = 1; b <= old; ++b) {
        if (references_[std::size_t(b)] == 0) continue;
        std::copy_n(memory_.data() + b * block_floats_, block_floats_,
                    larger.data() + b * block_floats_);
    }
    memory_ = std::move(larger);
    add_free(old + 1);
}

std::uint32_t BlockPool::take() {
    KVCHECK_ASSERT(!free_.empty());
    const std::uint32_t block = free_.back();
    free_.pop_back();
    references_[block] = 1;
    return block;
}

void BlockPool::hold(std::uint32_t block) {
    KVCHECK_ASSERT(references_[block] > 0);
    ++references_[block];
}

void BlockPool::release(std::uint32_t block) {
    KVCHECK_ASSERT(references_[block] > 0);
    if (--references_[block] == 0) free_.push_back(block);
}

std::uint32_t BlockPool::exchange_for_copy(std::uint32_t block) {
    const std::uint32_t copy = take();
    std::copy_n(this->block(block), block_floats_, this->block(copy));
    release(block);
    return copy;
}

}  // namespace kvcheck::fast
