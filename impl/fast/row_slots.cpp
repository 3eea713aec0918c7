// SPDX-License-Identifier: Apache-2.0
// Masks of a row's slots (declared in row_slots.hpp).
#include "impl/fast/row_slots.hpp"

#include <algorithm>
#include <bit>

#include "impl/fast/block_pool.hpp"
#include "model/types/assert.hpp"

namespace kvcheck::fast {
namespace {

/// Bits begin ... end - 1 of a block; 0 <= begin <= end <= block_slots.
std::uint64_t bits(Index begin, Index end) {
    const auto below = [](Index bit) {
        return bit == block_slots ? ~std::uint64_t{0} : (std::uint64_t{1} << bit) - 1;
    };
    return below(end) & ~below(begin);
}

Index count_of(const std::vector<std::uint64_t>& masks, Index blocks) {
    Index count = 0;
    for (Index b = 0; b < blocks; ++b) count += std::popcount(masks[std::size_t(b)]);
    return count;
}

}  // namespace

RowSlots::RowSlots(const Spec& spec, Index blocks)
    : table_(std::size_t(blocks), null_block),
      real_(std::size_t(blocks)),
      evicted_(std::size_t(blocks)),
      visible_(std::size_t(blocks)),
      anchors_(std::size_t(blocks)),
      ids_(spec.has_positions() ? std::size_t(blocks * block_slots) : 0),
      anchors_max_(spec.anchors.value_or(0)),
      position_ids_(spec.position_ids) {}

Index RowSlots::visible_count() const { return count_of(visible_, blocks()); }
Index RowSlots::evicted_count() const { return count_of(evicted_, blocks()); }

Index RowSlots::next_id() const {
    return (position_ids_ == PositionIds::slot ? length_ : real_count_) - shift_;
}

Index RowSlots::lowest_id() const {
    Index real = 0;
    for (Index b = 0; b < blocks(); ++b) {
        const std::uint64_t seen = visible_[std::size_t(b)];
        if (seen == 0) {
            real += std::popcount(real_[std::size_t(b)]);
            continue;
        }
        const Index place = std::countr_zero(seen);
        real += std::popcount(real_[std::size_t(b)] & bits(0, place));
        const bool by_slot = position_ids_ == PositionIds::slot;
        return (by_slot ? b * block_slots + place : real) - shift_;
    }
    return next_id();
}

void RowSlots::shift(Index by) {
    shift_ += by;
    const Index held = ids_.empty() ? 0 : length_;
    for (Index slot = 0; slot < held; ++slot) ids_[std::size_t(slot)] -= float(by);
}

std::uint64_t RowSlots::retained(Index b) const {
    const Index filled = std::clamp<Index>(length_ - b * block_slots, 0, block_slots);
    return bits(0, filled) & ~evicted_[std::size_t(b)];
}

Index RowSlots::anchor_blocks() const {
    Index count = blocks();
    while (count > 0 && anchors_[std::size_t(count - 1)] == 0) --count;
    return count;
}

void RowSlots::append(std::span<const std::uint8_t> real) {
    const auto b = std::size_t(length_ / block_slots);
    const Index place = length_ % block_slots;
    const auto count = Index(real.size());
    KVCHECK_ASSERT(place + count <= block_slots);
    if (place == 0) real_[b] = evicted_[b] = visible_[b] = anchors_[b] = 0;
    std::uint64_t more = 0;
    const Index real_before = real_count_;
    for (Index t = 0; t < count; ++t) {
        const std::uint64_t bit = real[std::size_t(t)] != 0 ? 1 : 0;
        more |= bit << (place + t);
        real_count_ += Index(bit);
    }
    if (!ids_.empty()) {
        const bool by_slot = position_ids_ == PositionIds::slot;
        Index id = by_slot ? length_ : real_before;
        for (Index t = 0; t < count; ++t) {
            ids_[std::size_t(length_ + t)] = float(id - shift_);
            if (by_slot || real[std::size_t(t)] != 0) ++id;
        }
    }
    real_[b] |= more;
    visible_[b] |= more;
    length_ += count;
    for (Index n = real_before; n < anchors_max_ && more != 0; ++n) {
        anchors_[b] |= more & -more;
        more &= more - 1;
    }
}

void RowSlots::truncate(Index length) {
    length_ = length;
    const Index left = length % block_slots;
    if (left > 0) {
        const auto b = std::size_t(length / block_slots);
        for (auto* masks : {&real_, &evicted_, &visible_, &anchors_}) (*masks)[b] &= bits(0, left);
    }
    real_count_ = count_of(real_, blocks());
}

void RowSlots::evict(Index begin, Index end) {
    for (Index b = begin / block_slots; b * block_slots < end; ++b) {
        const std::uint64_t gone = bits(std::max<Index>(begin - b * block_slots, 0),
                                        std::min(end - b * block_slots, block_slots));
        evicted_[std::size_t(b)] |= gone;
        visible_[std::size_t(b)] &= ~gone;
        anchors_[std::size_t(b)] &= ~gone;
    }
}

void RowSlots::reset() {
    length_ = real_count_ = shift_ = 0;
    finished_ = false;
}

void RowSlots::describe(HeadBlocks& blocks) const {
    blocks.table = table_.data();
    blocks.real = visible_.data();
    blocks.anchors = anchors_.data();
    blocks.ids = ids_.data();
}

Index RowSlots::bytes() const {
    return Index(table_.size() * sizeof(table_[0]) + 4 * real_.size() * sizeof(real_[0]) +
                 ids_.size() * sizeof(float));
}

}  // namespace kvcheck::fast
