// SPDX-License-Identifier: Apache-2.0
// Bytes between guards. A zone is memory of ours that is compared afterwards: it notices writes. A
// page that may not be touched ends the process at the first read or write beyond the bytes; it is
// for processes that may be lost, and report_guard_faults says there which array it was.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace kvcheck {

/// What lies directly before and after the bytes; the other side of a page is a zone.
enum class Guard { zones, page_before, page_after };

class GuardedMemory {
public:
    /// `size` bytes, filled with anything. With zones and with a page before, byte 0 is 64-byte
    /// aligned; with a page after, byte `size` is. Throws std::bad_alloc.
    GuardedMemory(std::size_t size, Guard guard, const char* name);
    ~GuardedMemory();
    GuardedMemory(GuardedMemory&& other) noexcept;
    GuardedMemory(const GuardedMemory&) = delete;
    GuardedMemory& operator=(const GuardedMemory&) = delete;
    GuardedMemory& operator=(GuardedMemory&&) = delete;

    /// Everything that may be touched: zone, bytes, zone.
    std::span<std::byte> all() { return {begin_, size_}; }
    std::span<const std::byte> all() const { return {begin_, size_}; }
    /// Where byte 0 lies in all().
    std::size_t first() const { return first_; }

private:
    std::unique_ptr<std::byte[]> bytes_;  // with zones only
    std::byte* pages_ = nullptr;          // else
    std::byte* begin_ = nullptr;
    std::size_t size_ = 0;
    std::size_t first_ = 0;
};

/// From now on a touched guard page is told on `descriptor` as one line of docs/protocol.md, "died"
/// with the array's name and side, before the process ends by the signal.
void report_guard_faults(int descriptor);

}  // namespace kvcheck
