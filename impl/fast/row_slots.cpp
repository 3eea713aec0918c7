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

Index RowSlots::lowest_id() const {
    Index lowest = next_id();
    for (Index b = 0; b < blocks(); ++b) {
        for (std::uint64_t seen = visible_[std::size_t(b)]; seen != 0; seen &= seen - 1) {
            lowest = std::min(lowest, id(b * block_slots + std::countr_zero(seen)));
            if (!is_tree()) return lowest;  // no later id is lower
        }
    }
    return lowest;
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

std::vector<Index> RowSlots::ids_of_next(std::span<const std::uint8_t> real,
                                         std::span<const Index> back) const {
    const bool by_slot = position_ids_ == PositionIds::slot;
    std::vector<Index> ids;
    for (std::size_t t = 0; t < real.size(); ++t) {
        const Index parent = length_ + Index(t) - (back.empty() ? 1 : back[t]);
        const auto in_call = std::size_t(std::max<Index>(parent - length_, 0));
        const bool is_stored = parent < length_;
        if (parent < 0) {
            ids.push_back(-shift_);
        } else {
            const bool is_real = is_stored ? real_in(parent, parent + 1) > 0 : real[in_call] != 0;
            const Index id = is_stored ? this->id(parent) : ids[in_call];
            ids.push_back(id + (by_slot || is_real ? 1 : 0));
        }
    }
    return ids;
}

/// Before anything else is changed.
void RowSlots::write_ids(std::span<const std::uint8_t> real, std::span<const Index> back) {
    float* const ids = ids_.data() + length_;
    if (!back.empty()) {
        const std::vector<Index> of_next = ids_of_next(real, back);
        std::copy(of_next.begin(), of_next.end(), ids);
        return;
    }
    const bool by_slot = position_ids_ == PositionIds::slot;
    Index id = next_id();
    for (std::size_t t = 0; t < real.size(); ++t) {
        ids[t] = float(id);
        if (by_slot || real[t] != 0) ++id;
    }
}

void RowSlots::append(std::span<const std::uint8_t> real, std::span<const Index> back) {
    const auto b = std::size_t(length_ / block_slots);
    const Index place = length_ % block_slots;
    const auto count = Index(real.size());
    KVCHECK_ASSERT(place + count <= block_slots);
    if (place == 0) real_[b] = evicted_[b] = visible_[b] = anchors_[b] = 0;
    std::uint64_t more = 0;
    const Index real_before = real_count_;
    if (!ids_.empty()) write_ids(real, back);
    for (std::size_t t = 0; t < back.size(); ++t) {
        const Index slot = length_ + Index(t);
        if (back[t] != 1) branches_.push_back({slot, slot - back[t]});
    }
    for (Index t = 0; t < count; ++t) {
        const std::uint64_t bit = real[std::size_t(t)] != 0 ? 1 : 0;
        more |= bit << (place + t);
        real_count_ += Index(bit);
    }
    real_[b] |= more;
    visible_[b] |= more;
    length_ += count;
    for (Index n = real_before; n < anchors_max_ && more != 0; ++n) {
        anchors_[b] |= more & -more;
        more &= more - 1;
    }
}

template <class Visit>
void RowSlots::for_each_stretch(Index last, const Visit& visit) const {
    Index end = last + 1;
    for (auto branch = branches_.rbegin(); branch != branches_.rend() && end > 0; ++branch) {
        if (branch->slot >= end) continue;
        visit(branch->slot, end);
        end = branch->parent + 1;
    }
    if (end > 0) visit(0, end);
}

Index RowSlots::parent(Index slot) const {
    const auto branch =
        std::lower_bound(branches_.begin(), branches_.end(), slot,
                         [](const Branch& one, Index its_slot) { return one.slot < its_slot; });
    return branch != branches_.end() && branch->slot == slot ? branch->parent : slot - 1;
}

Index RowSlots::real_in(Index begin, Index end) const {
    Index count = 0;
    for (Index b = begin / block_slots; b * block_slots < end; ++b) {
        const std::uint64_t inside = bits(std::max<Index>(begin - b * block_slots, 0),
                                          std::min(end - b * block_slots, block_slots));
        count += std::popcount(real_[std::size_t(b)] & inside);
    }
    return count;
}

Index RowSlots::id_after(Index last) const {
    const bool by_slot = position_ids_ == PositionIds::slot;
    if (!is_tree() && last == length_ - 1) return (by_slot ? length_ : real_count_) - shift_;
    Index id = -shift_;
    for_each_stretch(
        last, [&](Index begin, Index end) { id += by_slot ? end - begin : real_in(begin, end); });
    return id;
}

void RowSlots::see(Index slot, Index window, std::uint64_t* seen) const {
    std::fill_n(seen, blocks(), std::uint64_t{0});
    const auto add = [&](Index begin, Index end) {
        for (Index b = begin / block_slots; b * block_slots < end; ++b) {
            seen[b] |= bits(std::max<Index>(begin - b * block_slots, 0),
                            std::min(end - b * block_slots, block_slots));
        }
    };
    Index left = window;
    Index real = 0;  // of the path
    for_each_stretch(slot, [&](Index begin, Index end) {
        if (left > 0) add(std::max(begin, end - left), end);
        left -= end - begin;
        real += real_in(begin, end);
    });
    for_each_stretch(slot, [&](Index begin, Index end) {
        real -= real_in(begin, end);  // now those before the stretch
        Index anchors = anchors_max_ - real;
        for (Index s = begin; s < end && anchors > 0; ++s) {
            add(s, s + 1);
            anchors -= real_in(s, s + 1);
        }
    });
    for (Index b = 0; b < blocks(); ++b) seen[b] &= visible_[std::size_t(b)];
}

void RowSlots::truncate(Index length) {
    length_ = length;
    const Index left = length % block_slots;
    if (left > 0) {
        const auto b = std::size_t(length / block_slots);
        for (auto* masks : {&real_, &evicted_, &visible_, &anchors_}) (*masks)[b] &= bits(0, left);
    }
    real_count_ = count_of(real_, blocks());
    while (is_tree() && branches_.back().slot >= length) branches_.pop_back();
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
    branches_.clear();
    finished_ = false;
}

void RowSlots::describe(HeadBlocks& blocks) const {
    blocks.table = table_.data();
    blocks.real = visible_.data();
    blocks.anchors = anchors_.data();
    blocks.ids = ids_.data();
}

Index RowSlots::bytes() const {
    return Index(branches_.capacity() * sizeof(Branch) + table_.size() * sizeof(table_[0]) +
                 4 * real_.size() * sizeof(real_[0]) + ids_.size() * sizeof(float));
}

}  // namespace kvcheck::fast
