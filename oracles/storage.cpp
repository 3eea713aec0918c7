// SPDX-License-Identifier: Apache-2.0
// Formats, and stored numbers as they are judged (declared in storage.hpp).
#include "oracles/storage.hpp"

#include "model/types/assert.hpp"

namespace kvcheck {

NarrowFormat format_of(Storage storage) {
    switch (storage) {
        case Storage::element:
        case Storage::int8:
            break;
        case Storage::bf16:
            return {8, -126, 0x1.fep127};
        case Storage::fp16:
            return {11, -14, 65504};
    }
    KVCHECK_ASSERT(false);
    return {};
}

Answer stored_answer(Storage storage, const StoredRange& range, const Answer& own, double seen) {
    if (range.high < range.low || !std::isfinite(seen)) return own;
    if (is_format(storage))
        return {std::clamp(nearest_stored(storage, seen), range.low, range.high), 0, 0, 0};
    const double nearest = range.step > 0 ? std::nearbyint(seen / range.step) : 0;
    const double code = std::clamp(nearest, range.low, range.high);
    const double product = code * range.step;
    const double rest = std::fma(code, range.step, -product) + code * range.step_rest;
    const double bound = std::fabs(product) * range.spread + std::fabs(code) * range.underflow;
    return {product, rest, bound, 0};
}

}  // namespace kvcheck
