// SPDX-License-Identifier: Apache-2.0
// Formats, and stored numbers as they are judged (declared in storage.hpp).
#include "oracles/storage.hpp"

#include "model/types/assert.hpp"

namespace kvcheck {

NarrowFormat format_of(Storage storage) {
    switch (storage) {
        case Storage::element:
            break;
        case Storage::bf16:
            return {8, -126, 0x1.fep127};
        case Storage::fp16:
            return {11, -14, 65504};
    }
    KVCHECK_ASSERT(false);
    return {};
}

Answer stored_answer(Storage storage, const Answer& own, double seen) {
    if (storage == Storage::element || !deviation_of(seen, own, 53).within()) return own;
    const double nearest = nearest_stored(storage, seen);
    if (nearest == seen) return own;
    return {nearest, 0, 0, 0};
}

}  // namespace kvcheck
