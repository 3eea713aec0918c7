// SPDX-License-Identifier: Apache-2.0
// Blocks of keys and values and the table of each row (declared in cache.hpp).
#include "impl/fast/cache.hpp"

#include <algorithm>
#include <numeric>

#include "impl/fast/narrow.hpp"

namespace kvcheck::fast {
namespace {

Index blocks_for(Index slots) { return (slots + block_slots - 1) / block_slots; }

/// Scales of the keys and values of one head.
Index scale_floats(Storage storage) { return storage == Storage::int8 ? 2 * block_slots : 0; }

constexpr std::int8_t int8_poison = 99;

/// As long as so many entries.
Index floats_of(Index entries, Storage storage) {
    return entries * entry_bytes(storage) / Index(sizeof(float));
}

}  // namespace

Cache::Cache(const Spec& spec)
    : storage_(spec.storage),
      kv_heads_(spec.kv_heads),
      key_width_(spec.key_width),
      value_width_(spec.value_width),
      key_floats_(floats_of(spec.key_width * block_slots, spec.storage)),
      head_floats_(key_floats_ + floats_of(padded(spec.value_width) * block_slots, spec.storage) +
                   scale_floats(spec.storage)),
      block_floats_(spec.kv_heads * head_floats_),
      blocks_per_row_(blocks_for(spec.capacity)),
      memory_(spec.rows * blocks_per_row_ * block_floats_),
      free_(std::size_t(spec.rows * blocks_per_row_)),
      table_(free_.size()),
      real_(free_.size()),
      anchors_(free_.size()),
      ids_(spec.has_positions() ? free_.size() * std::size_t(block_slots) : 0),
      anchors_max_(spec.anchors.value_or(0)),
      position_ids_(spec.position_ids),
      lengths_(std::size_t(spec.rows)),
      visible_(std::size_t(spec.rows)) {
    std::iota(free_.rbegin(), free_.rend(), 0U);
}

void Cache::grow(Index row, std::span<const std::uint8_t> real) {
    Index& length = lengths_[std::size_t(row)];
    for (const std::uint8_t is_real : real) {
        const auto block = std::size_t(row * blocks_per_row_ + length / block_slots);
        if (length % block_slots == 0) {
            table_[block] = free_.back();
            free_.pop_back();
            real_[block] = anchors_[block] = 0;
        }
        Index& visible = visible_[std::size_t(row)];
        if (!ids_.empty()) {
            const Index id = position_ids_ == PositionIds::slot ? length : visible;
            ids_[std::size_t(row * blocks_per_row_ * block_slots + length)] = float(id);
        }
        if (is_real != 0) {
            const std::uint64_t bit = std::uint64_t{1} << (length % block_slots);
            real_[block] |= bit;
            if (visible < anchors_max_) anchors_[block] |= bit;
            ++visible;
        }
        ++length;
    }
}

void Cache::reset(Index row) {
    for (Index b = blocks_for(length(row)); b-- > 0;) {
        free_.push_back(table_[std::size_t(row * blocks_per_row_ + b)]);
    }
    lengths_[std::size_t(row)] = 0;
    visible_[std::size_t(row)] = 0;
}

Index Cache::anchor_blocks(Index row) const {
    const auto first = anchors_.begin() + row * blocks_per_row_;
    Index blocks = blocks_for(length(row));
    while (blocks > 0 && first[blocks - 1] == 0) --blocks;
    return blocks;
}

HeadBlocks Cache::head(Index row, Index head) const {
    return {.pool = memory_.data() + head * head_floats_,
            .table = table_.data() + row * blocks_per_row_,
            .real = real_.data() + row * blocks_per_row_,
            .anchors = anchors_.data() + row * blocks_per_row_,
            .ids = ids_.empty() ? nullptr : ids_.data() + row * blocks_per_row_ * block_slots,
            .block_floats = block_floats_,
            .value_offset = key_floats_,
            .key_width = key_width_,
            .value_width = value_width_,
            .entry_bytes = entry_bytes(storage_),
            .scale_offset = storage_ == Storage::int8 ? head_floats_ - scale_floats(storage_) : 0};
}

template <class Entry>
Entry* Cache::key_at(Index row, Index head, Index slot, Index element) const {
    float* const keys = block(row, slot) + head * head_floats_;
    return reinterpret_cast<Entry*>(keys) + element * block_slots + slot % block_slots;
}

template <class Entry>
Entry* Cache::value_at(Index row, Index head, Index slot, Index element) const {
    float* const values = block(row, slot) + head * head_floats_ + key_floats_;
    const Panel<Entry> panel = panel_of(reinterpret_cast<Entry*>(values), block_slots, value_width_,
                                        element / panel_columns);
    return panel.data + slot % block_slots * panel.stride + element % panel_columns;
}

float* Cache::key(Index row, Index head, Index slot, Index element) const {
    return key_at<float>(row, head, slot, element);
}

float* Cache::value(Index row, Index head, Index slot, Index element) const {
    return value_at<float>(row, head, slot, element);
}

float Cache::stored_key(Index row, Index head, Index slot, Index element) const {
    if (storage_ == Storage::int8) {
        const float scale =
            this->head(row, head).key_scales(slot / block_slots)[slot % block_slots];
        return float(key_at<Int8>(row, head, slot, element)->code) * scale;
    }
    return with_format(storage_, [&](auto entry) {
        return widen(*key_at<decltype(entry)>(row, head, slot, element));
    });
}

float Cache::stored_value(Index row, Index head, Index slot, Index element) const {
    if (storage_ == Storage::int8) {
        const float scale =
            this->head(row, head).value_scales(slot / block_slots)[slot % block_slots];
        return float(value_at<Int8>(row, head, slot, element)->code) * scale;
    }
    return with_format(storage_, [&](auto entry) {
        return widen(*value_at<decltype(entry)>(row, head, slot, element));
    });
}

template <class Entry>
void Cache::poison_entries(const Entry& poison) {
    const Index entries = block_floats_ * Index(sizeof(float)) / Index(sizeof(Entry));
    for (const std::uint32_t unused : free_) {
        float* const block = memory_.data() + Index(unused) * block_floats_;
        std::fill_n(reinterpret_cast<Entry*>(block), entries, poison);
    }
    for (Index row = 0; row < Index(lengths_.size()); ++row) {
        const Index end = rounded_up(length(row), block_slots);
        for (Index slot = length(row); slot < end; ++slot) {
            for (Index head = 0; head < kv_heads_; ++head) {
                for (Index i = 0; i < key_width_; ++i) *key_at<Entry>(row, head, slot, i) = poison;
                for (Index i = 0; i < value_width_; ++i)
                    *value_at<Entry>(row, head, slot, i) = poison;
            }
        }
    }
}

/// Integers cannot be poison; their scales are.
void Cache::poison_scales(float pattern) {
    poison_entries(Int8{int8_poison});
    for (const std::uint32_t unused : free_) {
        std::fill_n(memory_.data() + Index(unused) * block_floats_, block_floats_, pattern);
    }
    for (Index row = 0; row < Index(lengths_.size()); ++row) {
        const Index end = rounded_up(length(row), block_slots);
        for (Index head = 0; head < kv_heads_; ++head) {
            const HeadBlocks blocks = this->head(row, head);
            for (Index slot = length(row); slot < end; ++slot) {
                blocks.key_scales(slot / block_slots)[slot % block_slots] = pattern;
                blocks.value_scales(slot / block_slots)[slot % block_slots] = pattern;
            }
        }
    }
}

void Cache::poison_unused(float pattern) {
    if (storage_ == Storage::int8) return poison_scales(pattern);
    with_format(storage_, [&](auto entry) {
        poison_entries<decltype(entry)>(narrow<decltype(entry)>(pattern));
    });
}

}  // namespace kvcheck::fast
