// SPDX-License-Identifier: Apache-2.0
// The cache of the fast subject: which blocks rows take, share, copy and give back, and that every
// token stays what it is meanwhile. KVCHECK_FAST_PROGRAMS says how many random programs of a
// hundred commands there are; where it is not set, a few dozen.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <set>

#include "tests/impl/mirrored_cache.hpp"

namespace kvcheck {
namespace {

Spec cached_spec(Index rows, Index capacity = 200) {
    Spec spec;
    spec.rows = rows;
    spec.query_heads = 4;
    spec.kv_heads = 2;
    spec.key_width = 3;
    spec.value_width = 70;
    spec.capacity = capacity;
    return spec;
}

TEST(FastCache, KeepsEverySlotOfEveryRowApart) {
    const Spec spec = cached_spec(3);
    fast::Cache cache(spec);
    const std::vector<std::uint8_t> real(std::size_t(spec.capacity), 1);
    for (Index slot = 0; slot < spec.capacity; ++slot) {
        for (Index row = 0; row < spec.rows; ++row) cache.grow(row, std::span(real).first(1));
    }
    std::set<const float*> places;
    for (Index row = 0; row < spec.rows; ++row) {
        for (Index head = 0; head < spec.kv_heads; ++head) {
            for (Index slot = 0; slot < spec.capacity; ++slot) {
                for (Index i = 0; i < spec.key_width; ++i) {
                    places.insert(cache.key(row, head, slot, i));
                }
                for (Index i = 0; i < spec.value_width; ++i) {
                    places.insert(cache.value(row, head, slot, i));
                }
            }
        }
    }
    EXPECT_EQ(Index(places.size()),
              spec.rows * spec.kv_heads * spec.capacity * (spec.key_width + spec.value_width));
}

TEST(FastCache, GivesBlocksBackAndKeepsValidity) {
    fast::Cache cache(cached_spec(3));
    std::vector<std::uint8_t> real(150, 1);
    real[0] = real[70] = 0;
    for (int round = 0; round < 10; ++round) {
        cache.grow(1, real);
        cache.grow(0, std::span(real).first(64));
        EXPECT_EQ(cache.row(1).visible_count(), 148);
        EXPECT_EQ(cache.head(1, 0).real[0], ~std::uint64_t{1});
        EXPECT_EQ(cache.head(1, 1).real[1], ~(std::uint64_t{1} << 6));
        EXPECT_EQ(cache.head(1, 1).real[2], (std::uint64_t{1} << 22) - 1);
        cache.reset(1);
        EXPECT_EQ(cache.length(1), 0);
        EXPECT_EQ(cache.length(0), 64);
        cache.reset(0);
        EXPECT_EQ(cache.memory_use().blocks_in_use, 0);
    }
}

TEST(FastCache, ForkInsideABlockCopiesItForTheFirstThatGoesOn) {
    MirroredCache rows(cached_spec(1));
    rows.append(0, 100);
    rows.apply(Fork{0});
    EXPECT_EQ(rows.blocks_in_use(), 2);
    rows.poison_and_check();
    rows.append(0, 1);
    EXPECT_EQ(rows.blocks_in_use(), 3);
    rows.append(1, 1);  // nobody else holds its block any more
    EXPECT_EQ(rows.blocks_in_use(), 3);
    rows.append(1, 60);
    rows.append(0, 5);
    EXPECT_EQ(rows.blocks_in_use(), 4);
    rows.poison_and_check();
}

TEST(FastCache, ForkAtTheEndOfABlockCopiesNothing) {
    MirroredCache rows(cached_spec(1));
    rows.append(0, 64);
    rows.apply(Fork{0});
    rows.append(0, 1);
    rows.append(1, 1);
    EXPECT_EQ(rows.blocks_in_use(), 3);
    rows.poison_and_check();
}

TEST(FastCache, TruncationBelowASharedBlockLeavesItToTheOthers) {
    MirroredCache rows(cached_spec(1));
    rows.append(0, 128);
    rows.apply(Fork{0});
    rows.apply(Truncate{70, 1});
    EXPECT_EQ(rows.blocks_in_use(), 2);
    rows.poison_and_check();
    rows.append(1, 3);
    EXPECT_EQ(rows.blocks_in_use(), 3);
    rows.poison_and_check();
    rows.apply(Truncate{64, 1});
    EXPECT_EQ(rows.blocks_in_use(), 2);
    rows.append(1, 3);
    rows.poison_and_check();
    rows.apply(Truncate{0, 0});
    rows.apply(Truncate{0, 1});
    EXPECT_EQ(rows.blocks_in_use(), 0);
    rows.poison_and_check();
}

TEST(FastCache, ReorderSharesDuplicatesAndGivesBackWhatIsDropped) {
    MirroredCache rows(cached_spec(2));
    rows.append(0, 70);
    rows.append(1, 130);
    EXPECT_EQ(rows.blocks_in_use(), 5);
    rows.apply(Reorder{{1, 0}});
    EXPECT_EQ(rows.blocks_in_use(), 5);
    rows.poison_and_check();
    rows.apply(Reorder{{0, 0}});
    EXPECT_EQ(rows.blocks_in_use(), 3);
    rows.append(0, 2);
    rows.append(1, 2);
    EXPECT_EQ(rows.blocks_in_use(), 4);
    rows.poison_and_check();
    rows.apply(Reorder{{1, 1, 0, 1, 0}});
    EXPECT_EQ(rows.blocks_in_use(), 4);
    for (Index row = 0; row < 5; ++row) rows.append(row, 1);
    EXPECT_EQ(rows.blocks_in_use(), 7);
    rows.poison_and_check();
    rows.apply(Reorder{{4}});
    EXPECT_EQ(rows.blocks_in_use(), 3);
    rows.poison_and_check();
}

TEST(FastCache, FullRowsThatShareEverythingMayAllPart) {
    const Spec spec = cached_spec(1, 130);
    MirroredCache rows(spec);
    rows.append(0, spec.capacity);
    rows.apply(Reorder{{0, 0, 0, 0}});
    EXPECT_EQ(rows.blocks_in_use(), 3);
    for (Index row = 0; row < 4; ++row) {
        rows.apply(Truncate{1, row});
        rows.append(row, spec.capacity - 1);
    }
    EXPECT_EQ(rows.blocks_in_use(), 12);
    rows.poison_and_check();
}

TEST(FastCache, EmptyRowsAreForkedAndReorderedWithoutBlocks) {
    MirroredCache rows(cached_spec(1));
    rows.apply(Fork{0});
    rows.apply(Reorder{{1, 0, 1}});
    EXPECT_EQ(rows.blocks_in_use(), 0);
    for (Index row = 0; row < 3; ++row) rows.append(row, 2);
    EXPECT_EQ(rows.blocks_in_use(), 3);
    rows.poison_and_check();
}

TEST(FastCache, EvictionGivesABlockBackOnceAllOfItIsHidden) {
    MirroredCache rows(cached_spec(1));
    rows.append(0, 200, true);
    rows.apply(Evict{0, 10, 70});
    EXPECT_EQ(rows.blocks_in_use(), 4);
    rows.apply(Evict{0, 65, 128});
    EXPECT_EQ(rows.blocks_in_use(), 3);
    rows.apply(Evict{0, 0, 128});
    EXPECT_EQ(rows.blocks_in_use(), 2);
    rows.poison_and_check();
    // The last block goes on being filled.
    rows.apply(Truncate{195, 0});
    rows.apply(Evict{0, 128, 195});
    EXPECT_EQ(rows.blocks_in_use(), 1);
    rows.append(0, 3);
    rows.poison_and_check();
    // Inside a block that was given back, and what was evicted of it stays so.
    rows.apply(Truncate{100, 0});
    EXPECT_EQ(rows.blocks_in_use(), 0);
    rows.append(0, 30);
    EXPECT_EQ(rows.blocks_in_use(), 2);
    rows.poison_and_check();
}

TEST(FastCache, EvictionInOneRowHidesNothingFromAnother) {
    MirroredCache rows(cached_spec(1));
    rows.append(0, 150);
    rows.apply(Fork{0});
    rows.apply(Evict{0, 0, 140});
    EXPECT_EQ(rows.blocks_in_use(), 3);
    rows.poison_and_check();
    rows.append(0, 1);
    EXPECT_EQ(rows.blocks_in_use(), 4);
    rows.apply(Evict{1, 0, 64});
    EXPECT_EQ(rows.blocks_in_use(), 3);
    rows.poison_and_check();
}

TEST(FastCache, EvictedAnchorsReachNoBlock) {
    Spec spec = cached_spec(1);
    spec.window = 1;
    spec.anchors = 70;
    MirroredCache rows(spec);
    rows.append(0, 150);
    EXPECT_EQ(rows.cache().row(0).anchor_blocks(), 2);
    rows.apply(Evict{0, 60, 80});
    EXPECT_EQ(rows.cache().row(0).anchor_blocks(), 1);
    // The tokens after them are no anchors in their stead.
    rows.apply(Truncate{80, 0});
    rows.append(0, 20);
    EXPECT_EQ(rows.cache().row(0).anchor_blocks(), 1);
}

TEST(FastCache, TakesThePayloadOfRowsThatDoNotShareAndNoMore) {
    Spec spec = cached_spec(3, 256);
    spec.key_width = spec.value_width = 32;
    constexpr Index length = 192;
    MirroredCache rows(spec);
    const auto payload = [&](Index rows_apart, Index slots) {
        return 2 * rows_apart * spec.kv_heads * slots * spec.key_width * Index(sizeof(float));
    };
    const auto taken = [&] {
        const MemoryUse use = rows.cache().memory_use();
        EXPECT_EQ(use.slots_taken, use.blocks_in_use * fast::block_slots);
        return use.blocks_in_use * use.block_bytes;
    };
    for (Index row = 0; row < spec.rows; ++row) rows.append(row, length);
    EXPECT_EQ(taken(), payload(spec.rows, length));
    // Beams of one row are one row, until each goes its own way.
    rows.apply(Reorder{{0, 0, 0}});
    EXPECT_EQ(taken(), payload(1, length));
    for (Index row = 0; row < spec.rows; ++row) rows.append(row, fast::block_slots);
    EXPECT_EQ(taken(), payload(1, length) + payload(spec.rows, fast::block_slots));
    // A block that has just begun counts whole: internal fragmentation.
    rows.apply(Truncate{length + 1, 2});
    const MemoryUse use = rows.cache().memory_use();
    EXPECT_EQ(use.slots_taken - use.slots_filled, fast::block_slots - 1);
    EXPECT_GE(use.bytes, taken());
}

TEST(FastCache, APublishedPrefixKeepsItsBlocksUntilItIsForgotten) {
    MirroredCache rows(cached_spec(2));
    rows.append(0, 100);
    rows.publish(0);
    rows.append(0, 1);  // into a block that the prefix holds, too
    EXPECT_EQ(rows.blocks_in_use(), 3);
    rows.apply(Reset{0});
    EXPECT_EQ(rows.blocks_in_use(), 2);
    rows.poison_and_check();
    rows.reuse(1, 0, 100);
    EXPECT_EQ(rows.length(1), 100);
    EXPECT_EQ(rows.blocks_in_use(), 2);
    rows.append(1, 50);
    rows.reuse(0, 0, 100);
    rows.append(0, 2);
    EXPECT_EQ(rows.blocks_in_use(), 5);
    rows.poison_and_check();
    rows.forget_prefixes();
    EXPECT_EQ(rows.blocks_in_use(), 4);
    rows.poison_and_check();
}

TEST(FastCache, EveryRowMayGoOnBesideManyPrefixes) {
    const Spec spec = cached_spec(1, 130);
    MirroredCache rows(spec);
    for (Index length = 1; length <= 20; ++length) {
        rows.append(0, 1);
        rows.publish(0);
    }
    rows.append(0, spec.capacity - 20);
    rows.apply(Reorder{{0, 0, 0}});
    for (Index row = 0; row < 3; ++row) {
        rows.apply(Truncate{20, row});
        rows.append(row, spec.capacity - 20);
    }
    rows.poison_and_check();
}

/// One command or append that the state admits.
void random_step(std::mt19937& draw, const Spec& spec, MirroredCache& rows) {
    constexpr Index rows_max = 6;
    const auto below = [&](Index end) { return Index(draw() % std::uint64_t(end)); };
    const Index row = below(rows.rows());
    const Index length = rows.length(row);
    switch (below(10)) {
        case 0:
        case 1:
        case 2: {
            const Index room = spec.capacity - length;
            const Index count = below(4) == 0 ? room : std::min<Index>(room, 1 + below(40));
            return rows.append(row, count, true);
        }
        case 3:
            return rows.apply(Truncate{below(length + 1), row});
        case 4:
            if (rows.rows() < rows_max) rows.apply(Fork{row});
            return;
        case 5: {
            Reorder reorder;
            const Index count = 1 + below(rows_max);
            for (Index r = 0; r < count; ++r) reorder.sources.push_back(below(rows.rows()));
            return rows.apply(reorder);
        }
        case 6: {
            const Index begin = below(length + 1);
            if (begin < length) rows.apply(Evict{row, begin, begin + 1 + below(length - begin)});
            return;
        }
        case 7:
            if (rows.can_publish(row)) rows.publish(row);
            return;
        case 8: {
            if (length > 0) rows.apply(Reset{row});
            if (rows.published() == 0) return;
            const Index number = below(rows.published());
            return rows.reuse(row, number, 1 + below(rows.published_length(number)));
        }
        default:
            if (below(8) == 0) rows.forget_prefixes();
            if (below(4) == 0) rows.apply(Reset{row});
    }
}

unsigned programs() {
    const char* const text = std::getenv("KVCHECK_FAST_PROGRAMS");
    return text == nullptr ? 60 : unsigned(std::atoi(text));
}

TEST(FastCache, KeepsEveryTokenInRandomProgramsAndGivesEveryBlockBack) {
    for (unsigned seed = 1; seed <= programs() && !testing::Test::HasFatalFailure(); ++seed) {
        const Spec spec = cached_spec(1 + Index(seed % 3), 64 + Index(seed % 5) * 33);
        MirroredCache rows(spec);
        std::mt19937 draw(seed);
        for (int n = 0; n < 100 && !testing::Test::HasFatalFailure(); ++n) {
            SCOPED_TRACE("seed " + std::to_string(seed) + ", command " + std::to_string(n));
            random_step(draw, spec, rows);
            if (n % 7 == 0) rows.poison_and_check();
            rows.check();
        }
        const Index blocks = rows.cache().memory_use().blocks_free + rows.blocks_in_use();
        for (Index row = 0; row < rows.rows(); ++row) rows.apply(Reset{row});
        rows.forget_prefixes();
        EXPECT_EQ(rows.cache().memory_use().blocks_free, blocks);
        EXPECT_EQ(rows.blocks_in_use(), 0);
    }
}

}  // namespace
}  // namespace kvcheck
