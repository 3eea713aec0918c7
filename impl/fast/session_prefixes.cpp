// SPDX-License-Identifier: Apache-2.0
// Prefixes that rows publish and continue (clause 11): what is admitted. The blocks are the cache's
// affair.
#include <algorithm>
#include <new>

#include "impl/fast/session.hpp"

namespace kvcheck::fast {
namespace {

bool is_key(const PrefixKey& key) { return key.labels.size() == key.real.size(); }

/// A flag for each slot, and those with which the tokens came.
bool has_flags_of(const PrefixKey& key, const RowSlots& slots) {
    if (Index(key.real.size()) != slots.length()) return false;
    for (Index slot = 0; slot < slots.length(); ++slot) {
        if ((key.real[std::size_t(slot)] != 0) != slots.is_real_slot(slot)) return false;
    }
    return true;
}

}  // namespace

Status FastSession::publish(Index row, const PrefixKey& key) {
    if (row < 0 || row >= spec_.rows) return Status::refused("no such row");
    const RowSlots& slots = cache_.row(row);
    if (slots.length() == 0) return Status::refused("a row without tokens");
    if (slots.evicted_count() > 0) return Status::refused("a row with evicted slots");
    if (slots.shift() != 0) return Status::refused("a shifted row");
    if (slots.is_tree()) return Status::refused("a tree");
    if (!is_key(key) || !has_flags_of(key, slots))
        return Status::refused("labels and real: not one for each slot, as it was appended");
    try {
        cache_.publish(row, key);
    } catch (const std::bad_alloc&) {
        return Status::refused("no memory for this prefix");
    }
    return Status::done();
}

Status FastSession::reuse(Index row, const PrefixKey& key, Index& slots) {
    if (row < 0 || row >= spec_.rows) return Status::refused("no such row");
    const RowSlots& taker = cache_.row(row);
    if (taker.length() > 0) return Status::refused("a row that holds tokens");
    if (taker.is_finished() || taker.shift() != 0)
        return Status::refused("a finished or shifted row");
    if (!is_key(key)) return Status::refused("labels and real: of different lengths");
    try {
        slots = cache_.reuse(row, key);
    } catch (const std::bad_alloc&) {
        return Status::refused("no memory to continue this prefix");
    }
    return Status::done();
}

Status FastSession::weaken_prefix_hash() {
    if (cache_.has_prefixes()) return Status::refused("a prefix was published already");
    cache_.weaken_prefix_hash();
    return Status::done();
}

}  // namespace kvcheck::fast
