// SPDX-License-Identifier: Apache-2.0
// Reads of memory that may end the process; for children that tests watch dying.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>

#include "impl/memory/guarded_memory.hpp"

namespace kvcheck {

inline const testing::KilledBySignal segmentation_fault(SIGSEGV);

/// Reads one byte, whatever it is.
inline void touch(const std::byte* place) {
    static_cast<void>(*static_cast<const volatile std::byte*>(place));
}

/// The same, after the process has learnt to say on standard error which page it touched.
inline void touch_and_report(const std::byte* place) {
    report_guard_faults(STDERR_FILENO);
    touch(place);
}

}  // namespace kvcheck
