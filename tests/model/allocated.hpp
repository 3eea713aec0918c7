// SPDX-License-Identifier: Apache-2.0
// Counts what this test program asks of the heap, so that a test can claim that bad input costs
// little. Linking allocated.cpp replaces operator new; what malloc is asked for directly is not
// seen.
#pragma once

#include <cstddef>

namespace kvcheck {

/// Bytes asked for since the program began, never lowered.
std::size_t bytes_allocated();

}  // namespace kvcheck
