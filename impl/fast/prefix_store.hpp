// SPDX-License-Identifier: Apache-2.0
// Published prefixes, found by their keys (clause 11). A hash leads to those that may be meant, and
// the whole key decides. That the blocks of a published prefix stay is the cache's affair.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "impl/fast/row_slots.hpp"
#include "model/types/prefix_key.hpp"

namespace kvcheck::fast {

class PrefixStore {
public:
    /// All hashes are the same from now on. Needs: nothing was added.
    void weaken_hash() { weak_ = true; }

    bool has(const PrefixKey& key) const { return find(key, hashes_of(key).back()) != nullptr; }
    /// Throws std::bad_alloc; nothing is changed then.
    void add(const PrefixKey& key, const RowSlots& slots);
    /// The longest one that `key` begins with; null where there is none.
    const RowSlots* longest(const PrefixKey& key) const;
    bool empty() const { return entries_.empty(); }
    void clear() { entries_.clear(); }

    /// Calls visit(slots) for each.
    template <class Visit>
    void for_each(const Visit& visit) const {
        for (const auto& [hash, entry] : entries_) visit(entry.slots);
    }
    Index bytes() const;

private:
    struct Entry {
        std::vector<Index> labels;
        std::vector<std::uint8_t> real;
        std::string revision;
        RowSlots slots;
    };

    /// Of the first 0, 1, ... labels.
    std::vector<std::uint64_t> hashes_of(const PrefixKey& key) const;
    /// The one with this key; null where there is none.
    const Entry* find(const PrefixKey& key, std::uint64_t hash) const;

    std::unordered_multimap<std::uint64_t, Entry> entries_;
    bool weak_ = false;
};

}  // namespace kvcheck::fast
