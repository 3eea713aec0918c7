// SPDX-License-Identifier: Apache-2.0
// The elements of a strided array side by side, last dimension fastest: how they travel between
// processes. Bits are copied as they are, so that a NaN stays the NaN it was.
#pragma once

#include <cstddef>

#include "model/types/view.hpp"

namespace kvcheck {

/// Bytes of all elements of a view.
template <class Byte>
std::size_t packed_bytes(const BasicView<Byte>& view) {
    return std::size_t(view.shape.size()) * size_of(view.type);
}

/// Copies the elements of `view` to `target`, which has packed_bytes(view).
void pack(const InputView& view, std::byte* target);

/// Copies packed_bytes(view) from `source` into the elements of `view`.
void unpack(const std::byte* source, const OutputView& view);

}  // namespace kvcheck
