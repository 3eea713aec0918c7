// SPDX-License-Identifier: Apache-2.0
// The stored keys and values of all rows. A block holds 64 slots with all key/value heads, and a
// row's table says which block holds its slots 64 b to 64 b + 63. Rows with the same past share
// blocks, which are copied when one of them goes on inside (block_pool.hpp); what a row sees of its
// blocks is its own (row_slots.hpp).
//
//      row 0   table  7  2            slots 0 ... 63 are in block 7, 64 ... in block 2
//      row 1   table  7  4            a fork of row 0 that was made in the second block
//      block   head 0: K^T [Dk][64]  V [64][Dv] in panels   head 1: K^T  V   ...
//
// Its entries are floats, or of 16 or 8 bits where storage is narrow; sizes count floats all the
// same. After each head of int8 stand the scales of its 64 keys, then those of the values.
//
// There is always a block for every block of every row's capacity, beside those that published
// prefixes hold, so an append asks for no memory.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

#include "impl/fast/block_pool.hpp"
#include "impl/fast/kernels.hpp"
#include "impl/fast/memory_use.hpp"
#include "impl/fast/narrow.hpp"
#include "impl/fast/panels.hpp"
#include "impl/fast/prefix_store.hpp"
#include "impl/fast/rotary.hpp"
#include "impl/fast/row_slots.hpp"

namespace kvcheck::fast {

class Cache {
public:
    explicit Cache(const Spec& spec);

    Index rows() const { return Index(rows_.size()); }
    const RowSlots& row(Index row) const { return rows_[std::size_t(row)]; }
    Index length(Index row) const { return this->row(row).length(); }

    /// Gives the row `real.size()` more slots; what they hold is written by `store`. They must fit
    /// into the capacity. An entry of `real` is 0 for padding, one of `back` says how many slots
    /// before a token its parent is; empty: 1.
    void grow(Index row, std::span<const std::uint8_t> real, std::span<const Index> back = {});

    /// Forgets the row's tokens.
    void reset(Index row);
    /// Forgets the row's tokens from slot `length` on, which must not be beyond its end.
    void truncate(Index row, Index length);
    /// Hides slots of the row for good.
    void evict(Index row, Index begin, Index end);
    void finish(Index row) { rows_[std::size_t(row)].finish(); }
    /// Lowers the ids of the row; keys are turned back by as much, in blocks of its own, unless
    /// nothing is turned. Needs: no ids below zero, no int8 that is turned. Throws std::bad_alloc;
    /// nothing is changed then that anybody sees.
    void shift(Index row, Index by, const Rotation& rotation);
    /// The ids alone: of a row of which nobody sees a key.
    void shift_ids(Index row, Index by) { rows_[std::size_t(row)].shift(by); }
    /// Row r continues what row sources[r] holds. Throws std::bad_alloc where there is no memory
    /// for so many rows; nothing is changed then.
    void reorder(std::span<const Index> sources);

    /// Keeps what the row holds, and the blocks with it. Throws std::bad_alloc; nothing is changed
    /// then that anybody sees.
    void publish(Index row, const PrefixKey& key);
    /// The row, which is empty, continues the longest published prefix that `key` begins with.
    /// Returns its length. Throws std::bad_alloc; nothing is changed then.
    Index reuse(Index row, const PrefixKey& key);
    void forget_prefixes();
    const PrefixStore& prefixes() const { return prefixes_; }
    bool has_prefixes() const { return !prefixes_.empty(); }
    void weaken_prefix_hash() { prefixes_.weaken_hash(); }

    /// What a kernel needs to read, or to write, one head of a row.
    HeadBlocks head(Index row, Index head) const;

    /// An element of a stored key or value, where it is a float; the row must have the slot, not
    /// evicted.
    float* key(Index row, Index head, Index slot, Index element) const {
        return key_in<float>(block(row, slot), head, slot % block_slots, element);
    }
    float* value(Index row, Index head, Index slot, Index element) const {
        return value_in<float>(block(row, slot), head, slot % block_slots, element);
    }
    /// Its number, whatever it is stored as.
    float stored_key(Index row, Index head, Index slot, Index element) const;
    float stored_value(Index row, Index head, Index slot, Index element) const;

    /// Calls visit(bytes, count) for everything that is stored of a slot, in an order that depends
    /// on the spec alone; the row must have the slot, not evicted.
    template <class Visit>
    void visit_stored(Index row, Index slot, const Visit& visit) const;

    /// Overwrites all memory that holds no token of any row.
    void poison_unused(float pattern);

    MemoryUse memory_use() const;

private:
    float* block(Index row, Index slot) const {
        return pool_.block(this->row(row).block(slot / block_slots));
    }
    template <class Entry>
    Entry* key_in(float* block, Index head, Index place, Index element) const;
    template <class Entry>
    Entry* value_in(float* block, Index head, Index place, Index element) const;
    /// Of int8: of the 64 keys of a head; those of the values come after them.
    float* scales_in(float* block, Index head) const;
    /// The keys of the slots of block b that the row retains. `key` is room for one.
    void turn_back(const RowSlots& slots, Index b, Index by, const Rotation& rotation,
                   std::vector<float>& key);
    void take_for_append(RowSlots& slots, Index b);
    void hold(const RowSlots& slots);
    void release(const RowSlots& slots, Index first);
    /// For each block of the pool, slots that some row, or a prefix, retains.
    std::vector<std::uint64_t> retained() const;
    /// Calls poison(block, head, place) for every slot of every block that nothing retains.
    template <class Poison>
    void for_each_unused(const Poison& poison) const;

    Storage storage_;
    Index kv_heads_;
    Index key_width_;
    Index value_width_;
    Index key_floats_;   // of one head in a block
    Index head_floats_;  // keys and values
    Index blocks_per_row_;
    BlockPool pool_;
    std::vector<RowSlots> rows_;
    PrefixStore prefixes_;
    std::unordered_set<std::uint32_t> published_;  // blocks, in all tables of prefixes
};

template <class Entry>
Entry* Cache::key_in(float* block, Index head, Index place, Index element) const {
    return reinterpret_cast<Entry*>(block + head * head_floats_) + element * block_slots + place;
}

template <class Entry>
Entry* Cache::value_in(float* block, Index head, Index place, Index element) const {
    float* const values = block + head * head_floats_ + key_floats_;
    const Panel<Entry> panel = panel_of(reinterpret_cast<Entry*>(values), block_slots, value_width_,
                                        element / panel_columns);
    return panel.data + place * panel.stride + element % panel_columns;
}

template <class Visit>
void Cache::visit_stored(Index row, Index slot, const Visit& visit) const {
    float* const block = this->block(row, slot);
    const Index place = slot % block_slots;
    for (Index head = 0; head < kv_heads_; ++head) {
        with_entry(storage_, [&](auto entry) {
            using Entry = decltype(entry);
            for (Index i = 0; i < key_width_; ++i)
                visit(key_in<Entry>(block, head, place, i), sizeof(Entry));
            for (Index i = 0; i < value_width_; ++i)
                visit(value_in<Entry>(block, head, place, i), sizeof(Entry));
        });
        if (storage_ != Storage::int8) continue;
        float* const scales = scales_in(block, head);
        for (const Index scale : {place, block_slots + place}) visit(&scales[scale], sizeof(float));
    }
}

}  // namespace kvcheck::fast
