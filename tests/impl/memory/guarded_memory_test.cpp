// SPDX-License-Identifier: Apache-2.0
// Memory between guards: where the bytes lie, and that a touched page ends the process and says
// which memory it was. The touching is done by a child.
#include "impl/memory/guarded_memory.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <optional>
#include <utility>

#include "tests/impl/memory/touch.hpp"

namespace kvcheck {
namespace {

constexpr std::size_t line_bytes = 64;

std::size_t past_boundary(const std::byte* place) {
    return std::bit_cast<std::uintptr_t>(place) % line_bytes;
}

TEST(GuardedMemory, ByteZeroIsAlignedBetweenZones) {
    for (std::size_t size = 0; size < 200; ++size) {
        const GuardedMemory memory(size, Guard::zones, "memory");
        EXPECT_EQ(past_boundary(memory.all().data() + memory.first()), 0U) << size;
    }
}

TEST(GuardedMemory, ZonesHold256BytesOnBothSides) {
    for (std::size_t size = 0; size < 200; ++size) {
        const GuardedMemory memory(size, Guard::zones, "memory");
        EXPECT_GE(memory.first(), 256U) << size;
        EXPECT_GE(memory.all().size() - memory.first() - size, 256U) << size;
    }
}

TEST(GuardedMemory, ByteZeroLiesDirectlyAfterAPageBefore) {
    for (const std::size_t size : {0U, 1U, 4U, 3839U, 3840U, 3841U, 4096U, 9999U}) {
        const GuardedMemory memory(size, Guard::page_before, "memory");
        EXPECT_EQ(memory.first(), 0U) << size;
        EXPECT_EQ(past_boundary(memory.all().data()), 0U) << size;
        EXPECT_GE(memory.all().size() - size, 256U) << size << ": the other side is a zone";
    }
}

TEST(GuardedMemory, TheLastByteLiesDirectlyBeforeAPageAfter) {
    for (const std::size_t size : {0U, 1U, 4U, 3839U, 3840U, 3841U, 4096U, 9999U}) {
        const GuardedMemory memory(size, Guard::page_after, "memory");
        EXPECT_EQ(memory.first() + size, memory.all().size()) << size;
        EXPECT_EQ(past_boundary(memory.all().data() + memory.all().size()), 0U) << size;
        EXPECT_GE(memory.first(), 256U) << size << ": the other side is a zone";
    }
}

TEST(GuardedMemory, AllOfItMayBeReadAndWritten) {
    for (const Guard guard : {Guard::zones, Guard::page_before, Guard::page_after}) {
        GuardedMemory memory(5000, guard, "memory");
        std::ranges::fill(memory.all(), std::byte{7});
        EXPECT_EQ(std::ranges::count(memory.all(), std::byte{7}),
                  std::ptrdiff_t(memory.all().size()));
    }
}

TEST(GuardedMemory, AReadDirectlyBeforeByteZeroEndsTheProcess) {
    const GuardedMemory memory(100, Guard::page_before, "the key");
    const std::byte* const first = memory.all().data() + memory.first();
    EXPECT_EXIT(touch_and_report(first - 1), segmentation_fault, "past the beginning of the key");
    touch(first);
}

TEST(GuardedMemory, AReadDirectlyAfterTheLastByteEndsTheProcess) {
    const GuardedMemory memory(100, Guard::page_after, "the value");
    const std::byte* const end = memory.all().data() + memory.first() + 100;
    EXPECT_EXIT(touch_and_report(end), segmentation_fault, "past the end of the value");
    touch(end - 1);
}

TEST(GuardedMemory, AWriteIntoAPageEndsTheProcess) {
    GuardedMemory memory(100, Guard::page_after, "the output");
    std::byte* const end = memory.all().data() + memory.all().size();
    EXPECT_EXIT(
        {
            report_guard_faults(STDERR_FILENO);
            *static_cast<volatile std::byte*>(end) = std::byte{0};
        },
        segmentation_fault, "past the end of the output");
}

TEST(GuardedMemory, ALateTouchOfThePageIsStillTheMemorysOwn) {
    const GuardedMemory memory(100, Guard::page_before, "the key");
    const auto page = sysconf(_SC_PAGESIZE);
    EXPECT_EXIT(touch_and_report(memory.all().data() - page), segmentation_fault,
                "past the beginning of the key");
    EXPECT_EXIT(touch_and_report(memory.all().data() + memory.all().size() + page - 1),
                segmentation_fault, "past the end of the key");
}

TEST(GuardedMemory, OneLineOfTheProtocolSaysHowTheProcessDied) {
    const GuardedMemory memory(100, Guard::page_after, "v");
    EXPECT_EXIT(touch_and_report(memory.all().data() + memory.all().size()), segmentation_fault,
                "^\\{\"died\": \"it read or wrote past the end of v\"\\}\n$");
}

TEST(GuardedMemory, AFaultElsewhereNamesNoMemory) {
    const GuardedMemory memory(100, Guard::page_after, "v");
    const auto page = std::size_t(sysconf(_SC_PAGESIZE));
    void* const elsewhere = mmap(nullptr, page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(elsewhere, MAP_FAILED);
    EXPECT_EXIT(touch_and_report(static_cast<std::byte*>(elsewhere)), segmentation_fault, "^$");
    munmap(elsewhere, page);
}

TEST(GuardedMemory, MemoryThatIsGoneIsNotNamed) {
    const std::byte* end = nullptr;
    {
        const GuardedMemory memory(100, Guard::page_after, "the key");
        end = memory.all().data() + memory.all().size();
    }
    EXPECT_EXIT(touch_and_report(end), segmentation_fault, "^$");
}

TEST(GuardedMemory, PagesUsedAgainAreReportedUnderTheNewName) {
    const std::byte* old = nullptr;
    {
        const GuardedMemory memory(100, Guard::page_after, "the old one");
        old = memory.all().data();
    }
    const GuardedMemory memory(200, Guard::page_after, "the new one");
    ASSERT_EQ(memory.all().data(), old) << "the pages were not used again";
    EXPECT_EXIT(touch_and_report(memory.all().data() + memory.all().size()), segmentation_fault,
                "past the end of the new one");
}

TEST(GuardedMemory, TwoInUseNeverShareTheirPages) {
    GuardedMemory one(100, Guard::page_after, "one");
    GuardedMemory two(100, Guard::page_after, "two");
    EXPECT_NE(one.all().data(), two.all().data());
    EXPECT_EXIT(touch_and_report(one.all().data() + one.all().size()), segmentation_fault,
                "past the end of one");
}

TEST(GuardedMemory, WhatOneGivesBackIsNotTakenFromAnother) {
    const GuardedMemory kept(100, Guard::page_after, "kept");
    { const GuardedMemory gone(100, Guard::page_after, "gone"); }
    const GuardedMemory next(100, Guard::page_after, "next");
    EXPECT_NE(next.all().data(), kept.all().data());
}

/// The stretches of memory that this process has mapped.
std::ptrdiff_t mappings() {
    std::ifstream maps("/proc/self/maps");
    return std::count(std::istreambuf_iterator<char>(maps), {}, '\n');
}

TEST(GuardedMemory, MoreSizesThanThereArePlacesCanFollowOneAnotherAndDoNotPileUp) {
    const auto page = std::size_t(sysconf(_SC_PAGESIZE));
    const std::ptrdiff_t before = mappings();
    constexpr std::size_t sizes = 200;
    for (std::size_t pages = 1; pages <= sizes; ++pages) {
        GuardedMemory memory(pages * page, Guard::page_before, "memory");
        std::ranges::fill(memory.all(), std::byte{1});
    }
    EXPECT_LT(mappings() - before, std::ptrdiff_t(sizes)) << "they pile up";
}

TEST(GuardedMemory, AMovedMemoryKeepsItsBytesAndItsPages) {
    for (const Guard guard : {Guard::zones, Guard::page_before, Guard::page_after}) {
        GuardedMemory from(100, guard, "from");
        std::ranges::fill(from.all(), std::byte{7});
        const auto all = from.all();
        const std::size_t first = from.first();
        const GuardedMemory to(std::move(from));
        EXPECT_EQ(to.all().data(), all.data());
        EXPECT_EQ(to.all().size(), all.size());
        EXPECT_EQ(to.first(), first);
        EXPECT_EQ(std::ranges::count(to.all(), std::byte{7}), std::ptrdiff_t(all.size()));
    }
}

TEST(GuardedMemory, AMovedFromMemoryGivesNothingBack) {
    std::optional<GuardedMemory> from;
    from.emplace(100, Guard::page_after, "from");
    const GuardedMemory to(std::move(*from));
    from.reset();
    const GuardedMemory next(100, Guard::page_after, "next");
    EXPECT_NE(next.all().data(), to.all().data());
}

}  // namespace
}  // namespace kvcheck
