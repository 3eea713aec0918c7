// SPDX-License-Identifier: Apache-2.0
// How the elements of an array lie in memory: strides, and how far from a 64-byte boundary they
// begin. The layouts are those in which attention is called in practice, and one that no caller
// would choose, so that a subject can take nothing for granted.
#pragma once

#include <array>
#include <string_view>

#include "model/types/view.hpp"

namespace kvcheck {

enum class Layout {
    packed,      // as the dimensions are written: batch, token, head, element
    head_major,  // batch, head, token, element
    fused,       // a token's elements lie between those of other arrays, as in a fused QKV
    gapped,      // gaps after every dimension
    broadcast,   // all heads are one and the same memory, stride 0; for inputs of equal heads only
};

std::string_view name_of(Layout layout);

/// Strides count elements. `offset`: elements from a 64-byte boundary to element zero.
struct Placement {
    std::array<Index, 4> stride{};
    Index offset = 0;

    bool operator==(const Placement&) const = default;
};

/// `room` more elements fit in every dimension.
Placement placed(const Shape& shape, Layout layout, Index offset = 0, Index room = 0);

/// Where a view's elements lie.
template <class Byte>
Placement placement_of(const BasicView<Byte>& view);

/// Elements from element zero to one past the last, with `room` more in every dimension; 0 where
/// there is no element.
Index span_of(const Shape& shape, const Placement& placement, Index room);

}  // namespace kvcheck
