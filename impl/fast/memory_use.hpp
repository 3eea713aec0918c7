// SPDX-License-Identifier: Apache-2.0
// What a session of the fast subject holds, for tests and the bench. Keys and values take
// 2 * kv_heads * width * 4 bytes a filled slot, less in narrow storage; the rest of a taken block
// is lost to its end, to evicted slots and to padded columns.
#pragma once

#include "model/types/spec.hpp"

namespace kvcheck {

struct MemoryUse {
    Index bytes = 0;          // of all arrays; what was never written may not be memory yet
    Index block_bytes = 0;    // of one block: 64 slots with all key/value heads
    Index blocks_in_use = 0;  // each once, however many rows share it
    Index blocks_free = 0;
    Index slots_taken = 0;   // in blocks in use
    Index slots_filled = 0;  // of those, with a token of some row that is not evicted there

    bool operator==(const MemoryUse&) const = default;
};

}  // namespace kvcheck
