// SPDX-License-Identifier: Apache-2.0
// One array of floats that is taken once and given back once, aligned to cache lines. Large arrays
// are reserved in address space and become memory as they are written, in huge pages where the
// system has them, so that a session may be opened for many slots and pay for those it uses.
// Contents are unspecified at first.
#pragma once

#include <cstddef>

#include "model/types/spec.hpp"

namespace kvcheck::fast {

constexpr Index cache_line_floats = 16;

/// The least multiple of `step` that is not below `value`.
constexpr Index rounded_up(Index value, Index step) { return (value + step - 1) / step * step; }

class Memory {
public:
    Memory() = default;
    /// Throws std::bad_alloc where the system has no room.
    explicit Memory(Index floats);
    ~Memory();
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    Memory(Memory&& other) noexcept;
    Memory& operator=(Memory&& other) noexcept;

    float* data() const { return data_; }
    Index size() const { return size_; }

private:
    void release();

    float* data_ = nullptr;
    Index size_ = 0;          // floats
    std::size_t mapped_ = 0;  // bytes from the system, 0 where the heap gave them
};

}  // namespace kvcheck::fast
