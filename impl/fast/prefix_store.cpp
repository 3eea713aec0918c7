// SPDX-License-Identifier: Apache-2.0
// Keys hashed and compared (declared in prefix_store.hpp).
#include "impl/fast/prefix_store.hpp"

#include <algorithm>

#include "model/types/hash.hpp"

namespace kvcheck::fast {

std::vector<std::uint64_t> PrefixStore::hashes_of(const PrefixKey& key) const {
    std::vector<std::uint64_t> hashes = {fnv1a(key.revision)};
    for (std::size_t n = 0; n < key.labels.size(); ++n) {
        const std::uint64_t flag = key.real[n] != 0 ? 1 : 0;
        hashes.push_back(mixed(flag, mixed(std::uint64_t(key.labels[n]), hashes.back())));
    }
    if (weak_) std::fill(hashes.begin(), hashes.end(), 0);
    return hashes;
}

const PrefixStore::Entry* PrefixStore::find(const PrefixKey& key, std::uint64_t hash) const {
    const auto [first, last] = entries_.equal_range(hash);
    const auto found = std::find_if(first, last, [&](const auto& stored) {
        const Entry& entry = stored.second;
        return std::equal(key.labels.begin(), key.labels.end(), entry.labels.begin(),
                          entry.labels.end()) &&
               std::equal(key.real.begin(), key.real.end(), entry.real.begin(), entry.real.end()) &&
               key.revision == entry.revision;
    });
    return found == last ? nullptr : &found->second;
}

void PrefixStore::add(const PrefixKey& key, const RowSlots& slots) {
    entries_.emplace(hashes_of(key).back(), Entry{{key.labels.begin(), key.labels.end()},
                                                  {key.real.begin(), key.real.end()},
                                                  std::string(key.revision),
                                                  slots});
}

const RowSlots* PrefixStore::longest(const PrefixKey& key) const {
    const std::vector<std::uint64_t> hashes = hashes_of(key);
    for (std::size_t slots = key.labels.size(); slots > 0; --slots) {
        const PrefixKey part{key.labels.first(slots), key.real.first(slots), key.revision};
        if (const Entry* const entry = find(part, hashes[slots])) return &entry->slots;
    }
    return nullptr;
}

Index PrefixStore::bytes() const {
    Index bytes = 0;
    for (const auto& [hash, entry] : entries_) {
        bytes +=
            entry.slots.bytes() + Index(sizeof entry + entry.revision.size() +
                                        entry.labels.size() * sizeof(Index) + entry.real.size());
    }
    return bytes;
}

}  // namespace kvcheck::fast
