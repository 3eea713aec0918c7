// SPDX-License-Identifier: Apache-2.0
#include "tests/model/allocated.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<std::size_t> total{0};
}  // namespace

namespace kvcheck {
std::size_t bytes_allocated() { return total; }
}  // namespace kvcheck

void* operator new(std::size_t size) {
    total += size;
    if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
    throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    total += size;
    return std::malloc(size == 0 ? 1 : size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
