// SPDX-License-Identifier: Apache-2.0
#include "tests/impl/mirrored_cache.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <span>

namespace kvcheck {

using fast::block_slots;

MirroredCache::MirroredCache(const Spec& spec)
    : spec_(spec), cache_(spec), rows_(std::size_t(spec.rows)) {}

void MirroredCache::append(Index row, Index count, bool padded) {
    auto& entries = rows_[std::size_t(row)];
    std::vector<std::uint8_t> real(std::size_t(count), 1);
    for (Index t = 1; padded && t < count; t += 3) real[std::size_t(t)] = 0;
    cache_.grow(row, real);
    for (Index t = 0; t < count; ++t) {
        const auto slot = Index(entries.size());
        for (Index head = 0; head < spec_.kv_heads; ++head) {
            for (Index i = 0; i < spec_.key_width; ++i) {
                *cache_.key(row, head, slot, i) = next_token_;
            }
            for (Index i = 0; i < spec_.value_width; ++i) {
                *cache_.value(row, head, slot, i) = next_token_;
            }
        }
        entries.push_back({next_token_++, real[std::size_t(t)] != 0, false});
    }
}

void MirroredCache::apply(const Lifecycle& command) {
    const auto continue_rows = [&](const std::vector<Index>& sources) {
        cache_.reorder(sources);
        std::vector<std::vector<Entry>> rows;
        rows.reserve(sources.size());
        for (const Index source : sources) rows.push_back(rows_[std::size_t(source)]);
        rows_ = std::move(rows);
    };
    std::visit(Overload{[&](const Reset& reset) {
                            cache_.reset(*reset.row);
                            rows_[std::size_t(*reset.row)].clear();
                        },
                        [&](const Truncate& truncate) {
                            cache_.truncate(*truncate.row, truncate.length);
                            rows_[std::size_t(*truncate.row)].resize(std::size_t(truncate.length));
                        },
                        [&](const Reorder& reorder) { continue_rows(reorder.sources); },
                        [&](const Fork& fork) {
                            std::vector<Index> sources(rows_.size());
                            std::iota(sources.begin(), sources.end(), Index{0});
                            sources.push_back(fork.row);
                            continue_rows(sources);
                        },
                        [&](const Finish& finish) { cache_.finish(finish.row); },
                        [&](const Evict& evict) {
                            cache_.evict(evict.row, evict.begin, evict.end);
                            auto& entries = rows_[std::size_t(evict.row)];
                            for (Index slot = evict.begin; slot < evict.end; ++slot) {
                                entries[std::size_t(slot)].evicted = true;
                            }
                        },
                        [](const Shift&) {}},
               command);
}

struct MirroredCache::Key {
    std::vector<Index> labels;
    std::vector<std::uint8_t> real;

    explicit Key(std::span<const Entry> entries) {
        for (const Entry& entry : entries) {
            labels.push_back(Index(entry.token));
            real.push_back(entry.real ? 1 : 0);
        }
    }
    PrefixKey view() const { return {labels, real, "one"}; }
};

bool MirroredCache::can_publish(Index row) const {
    const auto& entries = rows_[std::size_t(row)];
    return !entries.empty() && std::none_of(entries.begin(), entries.end(),
                                            [](const Entry& entry) { return entry.evicted; });
}

void MirroredCache::publish(Index row) {
    const auto& entries = rows_[std::size_t(row)];
    cache_.publish(row, Key(entries).view());
    published_.push_back(entries);
}

void MirroredCache::reuse(Index row, Index number, Index slots) {
    const std::span wanted(published_[std::size_t(number)].data(), std::size_t(slots));
    std::vector<Entry> longest;
    for (const auto& prefix : published_) {
        const bool begins =
            prefix.size() <= wanted.size() &&
            std::equal(prefix.begin(), prefix.end(), wanted.begin(),
                       [](const Entry& a, const Entry& b) { return a.token == b.token; });
        if (begins && prefix.size() > longest.size()) longest = prefix;
    }
    EXPECT_EQ(cache_.reuse(row, Key(wanted).view()), Index(longest.size()));
    rows_[std::size_t(row)] = longest;
}

void MirroredCache::forget_prefixes() {
    cache_.forget_prefixes();
    published_.clear();
}

void MirroredCache::check() const {
    std::set<std::uint32_t> blocks;
    std::set<std::pair<std::uint32_t, Index>> filled;
    ASSERT_EQ(cache_.rows(), rows());
    for (Index row = 0; row < rows(); ++row) {
        const auto& entries = rows_[std::size_t(row)];
        const fast::RowSlots& slots = cache_.row(row);
        ASSERT_EQ(slots.length(), Index(entries.size()));
        Index real = 0;
        Index visible = 0;
        Index evicted = 0;
        for (Index slot = 0; slot < Index(entries.size()); ++slot) {
            const Entry& entry = entries[std::size_t(slot)];
            real += entry.real ? 1 : 0;
            visible += entry.real && !entry.evicted ? 1 : 0;
            evicted += entry.evicted ? 1 : 0;
            const std::uint64_t mask = cache_.head(row, 0).real[slot / block_slots];
            ASSERT_EQ((mask >> (slot % block_slots) & 1) != 0, entry.real && !entry.evicted)
                << "row " << row << ", slot " << slot;
            const std::uint32_t block = slots.block(slot / block_slots);
            if (block != fast::null_block) blocks.insert(block);
            if (entry.evicted) continue;
            filled.emplace(block, slot % block_slots);
            const Index head = slot % spec_.kv_heads;
            ASSERT_EQ(*cache_.key(row, head, slot, slot % spec_.key_width), entry.token)
                << "row " << row << ", slot " << slot;
            ASSERT_EQ(*cache_.value(row, head, slot, slot % spec_.value_width), entry.token)
                << "row " << row << ", slot " << slot;
        }
        // Slots behind the end, in the last block.
        if (slots.length() % block_slots != 0) {
            const std::uint64_t mask = cache_.head(row, 0).real[slots.blocks() - 1];
            ASSERT_EQ(mask >> (slots.length() % block_slots), 0U) << "row " << row;
        }
        ASSERT_EQ(slots.real_count(), real);
        ASSERT_EQ(slots.visible_count(), visible);
        ASSERT_EQ(slots.evicted_count(), evicted);
    }
    cache_.prefixes().for_each([&](const fast::RowSlots& slots) {
        for (Index slot = 0; slot < slots.length(); ++slot) {
            const std::uint32_t block = slots.block(slot / block_slots);
            blocks.insert(block);
            filled.emplace(block, slot % block_slots);
        }
    });
    const MemoryUse use = cache_.memory_use();
    ASSERT_EQ(use.blocks_in_use, Index(blocks.size()));
    ASSERT_EQ(use.slots_filled, Index(filled.size()));
}

void MirroredCache::poison_and_check() {
    cache_.poison_unused(std::numeric_limits<float>::quiet_NaN());
    check();
}

}  // namespace kvcheck
