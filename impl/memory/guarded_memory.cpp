// SPDX-License-Identifier: Apache-2.0
// Zones and pages (declared in guarded_memory.hpp).
#include "impl/memory/guarded_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

#include "model/types/assert.hpp"

namespace kvcheck {
namespace {

constexpr std::size_t alignment = 64;
constexpr std::size_t zone_bytes = 256;

std::size_t rounded_up(std::size_t value, std::size_t unit) {
    return (value + unit - 1) / unit * unit;
}

std::size_t page_bytes() { return std::size_t(sysconf(_SC_PAGESIZE)); }

/// Pages between two that may not be touched. Mappings are made once and kept, because making one
/// takes longer than most calls.
struct Mapping {
    std::byte* inside = nullptr;  // null where the place is free
    std::size_t size = 0;         // of the inside
    const char* name = "";
    bool in_use = false;
};
constexpr std::size_t mappings_max = 64;
std::array<Mapping, mappings_max> mappings{};  // plain data, for a signal handler
int report_to = -1;

void unmap(Mapping& mapping) {
    const std::size_t page = page_bytes();
    munmap(mapping.inside - page, mapping.size + 2 * page);
    mapping = {};
}

/// A free place; one that holds a mapping nobody uses is made free where there is no other.
Mapping& free_place() {
    Mapping* unused = nullptr;
    for (Mapping& mapping : mappings) {
        if (mapping.inside == nullptr) return mapping;
        if (!mapping.in_use) unused = &mapping;
    }
    KVCHECK_ASSERT(unused != nullptr);  // a call has six arrays
    unmap(*unused);
    return *unused;
}

std::byte* take_pages(std::size_t size, const char* name) {
    for (Mapping& mapping : mappings) {
        if (mapping.inside == nullptr || mapping.in_use || mapping.size != size) continue;
        mapping.name = name;
        mapping.in_use = true;
        return mapping.inside;
    }
    const std::size_t page = page_bytes();
    void* const begin =
        mmap(nullptr, size + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (begin == MAP_FAILED) throw std::bad_alloc();
    std::byte* const inside = static_cast<std::byte*>(begin) + page;
    if (mprotect(inside, size, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
    free_place() = {inside, size, name, true};
    return inside;
}

void give_back(const std::byte* inside) {
    for (Mapping& mapping : mappings) {
        if (mapping.inside == inside) mapping.in_use = false;
    }
}

// Only what a signal handler may do: write.
void say(const char* text) {
    const ssize_t ignored = write(report_to, text, std::strlen(text));
    (void)ignored;
}

extern "C" void touched(int signal, siginfo_t* info, void*) {
    const auto address = std::bit_cast<std::uintptr_t>(info->si_addr);
    for (const Mapping& mapping : mappings) {
        if (!mapping.in_use) continue;
        const auto begin = std::bit_cast<std::uintptr_t>(mapping.inside);
        const bool before = address < begin && address >= begin - page_bytes();
        const bool after =
            address >= begin + mapping.size && address < begin + mapping.size + page_bytes();
        if (!before && !after) continue;
        say("{\"died\": \"it read or wrote past the ");
        say(after ? "end of " : "beginning of ");
        say(mapping.name);
        say("\"}\n");
        break;
    }
    std::signal(signal, SIG_DFL);
    raise(signal);
}

}  // namespace

GuardedMemory::GuardedMemory(std::size_t size, Guard guard, const char* name) {
    if (guard == Guard::zones) {
        size_ = size + 2 * zone_bytes + alignment;
        bytes_ = std::make_unique_for_overwrite<std::byte[]>(size_);
        begin_ = bytes_.get();
        const auto address = std::bit_cast<std::uintptr_t>(begin_) + zone_bytes;
        first_ = zone_bytes + (alignment - address % alignment) % alignment;
        return;
    }
    size_ = rounded_up(size + zone_bytes, page_bytes());
    pages_ = begin_ = take_pages(size_, name);
    first_ = guard == Guard::page_after ? size_ - size : 0;
}

GuardedMemory::GuardedMemory(GuardedMemory&& other) noexcept
    : bytes_(std::move(other.bytes_)),
      pages_(std::exchange(other.pages_, nullptr)),
      begin_(other.begin_),
      size_(other.size_),
      first_(other.first_) {}

GuardedMemory::~GuardedMemory() {
    if (pages_ != nullptr) give_back(pages_);
}

void report_guard_faults(int descriptor) {
    report_to = descriptor;
    struct sigaction action = {};
    action.sa_sigaction = touched;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &action, nullptr);
}

}  // namespace kvcheck
