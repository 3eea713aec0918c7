// SPDX-License-Identifier: Apache-2.0
// Aligned memory, in large pages where that pays (declared in memory.hpp).
#include "impl/fast/memory.hpp"

#include <sys/mman.h>

#include <new>
#include <utility>

namespace kvcheck::fast {
namespace {

constexpr std::align_val_t line{64};
constexpr std::size_t huge_page = std::size_t{1} << 21;
constexpr std::size_t heap_bytes_max = std::size_t{1} << 20;

}  // namespace

Memory::Memory(Index floats) : size_(floats) {
    if (floats == 0) return;
    const std::size_t bytes = std::size_t(floats) * sizeof(float);
    if (bytes <= heap_bytes_max) {
        data_ = static_cast<float*>(::operator new(bytes, line));
        return;
    }
    // One huge page more than asked for, so that the array can begin at the start of one.
    mapped_ = (bytes + 2 * huge_page - 1) / huge_page * huge_page;
    void* const reserved = mmap(nullptr, mapped_, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (reserved == MAP_FAILED) throw std::bad_alloc();
    const auto address = reinterpret_cast<std::size_t>(reserved);
    const std::size_t begin = (address + huge_page - 1) / huge_page * huge_page;
    munmap(reserved, begin - address == 0 ? 0 : begin - address);
    mapped_ -= begin - address;
    data_ = reinterpret_cast<float*>(begin);
#ifdef MADV_HUGEPAGE
    madvise(data_, mapped_, MADV_HUGEPAGE);  // advice; without it everything works, more slowly
#endif
}

Memory::~Memory() { release(); }

Memory::Memory(Memory&& other) noexcept { *this = std::move(other); }

Memory& Memory::operator=(Memory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(mapped_, other.mapped_);
    return *this;
}

void Memory::release() {
    if (mapped_ > 0) {
        munmap(data_, mapped_);
    } else if (data_ != nullptr) {
        ::operator delete(static_cast<void*>(data_), line);
    }
}

}  // namespace kvcheck::fast
