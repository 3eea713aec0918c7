// SPDX-License-Identifier: Apache-2.0
// Rows that take blocks, share them and give them back (declared in cache.hpp).
#include "impl/fast/cache.hpp"

#include <algorithm>
#include <bit>
#include <type_traits>
#include <utility>

#include "impl/fast/narrow.hpp"

namespace kvcheck::fast {
namespace {

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
      blocks_per_row_((spec.capacity + block_slots - 1) / block_slots),
      pool_(spec.kv_heads * head_floats_, spec.rows * blocks_per_row_),
      rows_(std::size_t(spec.rows), RowSlots(spec, blocks_per_row_)) {}

void Cache::grow(Index row, std::span<const std::uint8_t> real, std::span<const Index> back) {
    RowSlots& slots = rows_[std::size_t(row)];
    while (!real.empty()) {
        take_for_append(slots, slots.length() / block_slots);
        const Index left = block_slots - slots.length() % block_slots;
        const auto part = real.first(std::min(std::size_t(left), real.size()));
        const auto parents = back.first(std::min(part.size(), back.size()));
        slots.append(part, parents);
        real = real.subspan(part.size());
        back = back.subspan(parents.size());
    }
}

/// Sees to it that the row's block b, the one that its next slot is in, is the row's own.
void Cache::take_for_append(RowSlots& slots, Index b) {
    const bool begins = slots.length() % block_slots == 0;
    if (begins || slots.block(b) == null_block) {
        slots.set_block(b, pool_.take());
    } else if (pool_.is_shared(slots.block(b))) {
        slots.set_block(b, pool_.exchange_for_copy(slots.block(b)));
    }
}

void Cache::hold(const RowSlots& slots) {
    for (Index b = 0; b < slots.blocks(); ++b) {
        if (slots.block(b) != null_block) pool_.hold(slots.block(b));
    }
}

/// The last one first, so that the first one is the next to be taken.
void Cache::release(const RowSlots& slots, Index first) {
    for (Index b = slots.blocks(); b-- > first;) {
        if (slots.block(b) != null_block) pool_.release(slots.block(b));
    }
}

void Cache::reset(Index row) {
    RowSlots& slots = rows_[std::size_t(row)];
    release(slots, 0);
    slots.reset();
}

void Cache::truncate(Index row, Index length) {
    RowSlots& slots = rows_[std::size_t(row)];
    release(slots, (length + block_slots - 1) / block_slots);
    slots.truncate(length);
}

void Cache::evict(Index row, Index begin, Index end) {
    RowSlots& slots = rows_[std::size_t(row)];
    slots.evict(begin, end);
    for (Index b = begin / block_slots; b * block_slots < end; ++b) {
        if (!slots.is_evicted(b) || slots.block(b) == null_block) continue;
        pool_.release(slots.block(b));
        slots.set_block(b, null_block);
    }
}

void Cache::shift(Index row, Index by, const Rotation& rotation) {
    RowSlots& slots = rows_[std::size_t(row)];
    const auto is_turned = [&](Index b) {
        return !rotation.is_none() && slots.block(b) != null_block && slots.retained(b) != 0;
    };
    // What may lack memory comes first: a copy of a block changes nothing that anybody sees.
    std::vector<float> key(std::size_t(key_width_), 0);
    for (Index b = 0; b < slots.blocks(); ++b) {
        if (is_turned(b) && pool_.is_shared(slots.block(b)))
            slots.set_block(b, pool_.exchange_for_copy(slots.block(b)));
    }
    for (Index b = 0; b < slots.blocks(); ++b) {
        if (is_turned(b)) turn_back(slots, b, by, rotation, key);
    }
    slots.shift(by);
}

void Cache::turn_back(const RowSlots& slots, Index b, Index by, const Rotation& rotation,
                      std::vector<float>& key) {
    float* const block = pool_.block(slots.block(b));
    with_format(storage_, [&](auto entry) {
        using Entry = decltype(entry);
        for (Index place = 0; place < block_slots; ++place) {
            if ((slots.retained(b) >> place & 1) == 0) continue;
            for (Index head = 0; head < kv_heads_; ++head) {
                for (Index i = 0; i < key_width_; ++i)
                    key[std::size_t(i)] = widen(*key_in<Entry>(block, head, place, i));
                rotation.turn_back(key.data(), by);
                for (Index i = 0; i < key_width_; ++i)
                    *key_in<Entry>(block, head, place, i) = narrow<Entry>(key[std::size_t(i)]);
            }
        }
    });
}

void Cache::reorder(std::span<const Index> sources) {
    std::vector<RowSlots> continued;
    continued.reserve(sources.size());
    for (const Index source : sources) continued.push_back(row(source));
    pool_.make_room(Index(sources.size()) * blocks_per_row_ + Index(published_.size()));
    for (const RowSlots& slots : continued) hold(slots);
    for (const RowSlots& slots : rows_) release(slots, 0);
    rows_ = std::move(continued);
}

void Cache::publish(Index row, const PrefixKey& key) {
    if (prefixes_.has(key)) return;
    const RowSlots prefix = this->row(row).as_prefix();
    // Where memory ends here, some blocks are counted that are not published, which is no harm.
    for (Index b = 0; b < prefix.blocks(); ++b) published_.insert(prefix.block(b));
    pool_.make_room(rows() * blocks_per_row_ + Index(published_.size()));
    prefixes_.add(key, prefix);
    hold(prefix);
}

Index Cache::reuse(Index row, const PrefixKey& key) {
    const RowSlots* const prefix = prefixes_.longest(key);
    if (prefix == nullptr) return 0;
    RowSlots continued = *prefix;
    hold(continued);
    rows_[std::size_t(row)] = std::move(continued);
    return prefix->length();
}

void Cache::forget_prefixes() {
    prefixes_.for_each([this](const RowSlots& prefix) { release(prefix, 0); });
    prefixes_.clear();
    published_.clear();
}

HeadBlocks Cache::head(Index row, Index head) const {
    HeadBlocks blocks{.pool = pool_.data() + head * head_floats_,
                      .table = nullptr,
                      .real = nullptr,
                      .anchors = nullptr,
                      .ids = nullptr,
                      .block_floats = pool_.block_floats(),
                      .value_offset = key_floats_,
                      .key_width = key_width_,
                      .value_width = value_width_,
                      .entry_bytes = entry_bytes(storage_),
                      .scale_offset = head_floats_ - scale_floats(storage_)};
    this->row(row).describe(blocks);
    return blocks;
}

float* Cache::scales_in(float* block, Index head) const {
    return block + (head + 1) * head_floats_ - scale_floats(storage_);
}

float Cache::stored_key(Index row, Index head, Index slot, Index element) const {
    float* const block = this->block(row, slot);
    const Index place = slot % block_slots;
    if (storage_ == Storage::int8) {
        return float(key_in<Int8>(block, head, place, element)->code) *
               scales_in(block, head)[place];
    }
    return with_format(storage_, [&](auto entry) {
        return widen(*key_in<decltype(entry)>(block, head, place, element));
    });
}

float Cache::stored_value(Index row, Index head, Index slot, Index element) const {
    float* const block = this->block(row, slot);
    const Index place = slot % block_slots;
    if (storage_ == Storage::int8) {
        return float(value_in<Int8>(block, head, place, element)->code) *
               scales_in(block, head)[block_slots + place];
    }
    return with_format(storage_, [&](auto entry) {
        return widen(*value_in<decltype(entry)>(block, head, place, element));
    });
}

std::vector<std::uint64_t> Cache::retained() const {
    std::vector<std::uint64_t> masks(std::size_t(pool_.blocks() + 1));
    const auto add = [&](const RowSlots& slots) {
        // That of a block that was given back is zero.
        for (Index b = 0; b < slots.blocks(); ++b) masks[slots.block(b)] |= slots.retained(b);
    };
    std::for_each(rows_.begin(), rows_.end(), add);
    prefixes_.for_each(add);
    return masks;
}

template <class Poison>
void Cache::for_each_unused(const Poison& poison) const {
    const std::vector<std::uint64_t> masks = retained();
    for (std::size_t b = 0; b < masks.size(); ++b) {
        float* const block = pool_.block(std::uint32_t(b));
        for (Index place = 0; place < block_slots; ++place) {
            if ((masks[b] >> place & 1) != 0) continue;
            for (Index head = 0; head < kv_heads_; ++head) poison(block, head, place);
        }
    }
}

void Cache::poison_unused(float pattern) {
    const auto fill = [&](const auto& entry) {
        using Entry = std::decay_t<decltype(entry)>;
        for_each_unused([&](float* block, Index head, Index place) {
            for (Index i = 0; i < key_width_; ++i) *key_in<Entry>(block, head, place, i) = entry;
            for (Index i = 0; i < value_width_; ++i)
                *value_in<Entry>(block, head, place, i) = entry;
        });
    };
    if (storage_ != Storage::int8) {
        return with_format(storage_, [&](auto entry) { fill(narrow<decltype(entry)>(pattern)); });
    }
    // Integers cannot be poison; their scales are.
    fill(Int8{int8_poison});
    for_each_unused([&](float* block, Index head, Index place) {
        scales_in(block, head)[place] = scales_in(block, head)[block_slots + place] = pattern;
    });
}

MemoryUse Cache::memory_use() const {
    MemoryUse use;
    use.bytes = pool_.bytes() + prefixes_.bytes();
    for (const RowSlots& slots : rows_) use.bytes += slots.bytes();
    use.block_bytes = pool_.block_floats() * Index(sizeof(float));
    use.blocks_in_use = pool_.blocks_in_use();
    use.blocks_free = pool_.blocks() - use.blocks_in_use;
    use.slots_taken = use.blocks_in_use * block_slots;
    for (const std::uint64_t mask : retained()) use.slots_filled += std::popcount(mask);
    return use;
}

}  // namespace kvcheck::fast
