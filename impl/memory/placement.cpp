// SPDX-License-Identifier: Apache-2.0
// Strides and spans (declared in placement.hpp).
#include "impl/memory/placement.hpp"

#include <bit>
#include <cstdint>

namespace kvcheck {
namespace {

constexpr std::size_t boundary = 64;

/// Strides of a walk over the dimensions in `order`, outermost first, with `gap` elements more
/// after each.
std::array<Index, 4> strides_of(const Shape& shape, const std::array<int, 4>& order, Index gap,
                                Index room) {
    std::array<Index, 4> stride{};
    Index step = 1;
    for (int i = shape.rank; i-- > 0;) {
        const auto dimension = std::size_t(order[std::size_t(i)]);
        stride[dimension] = step;
        step = step * (shape.extent[dimension] + room) + gap;
    }
    return stride;
}

}  // namespace

std::string_view name_of(Layout layout) {
    switch (layout) {
        case Layout::head_major:
            return "head-major";
        case Layout::fused:
            return "fused";
        case Layout::gapped:
            return "gapped";
        case Layout::broadcast:
            return "broadcast";
        default:
            return "packed";
    }
}

Placement placed(const Shape& shape, Layout layout, Index offset, Index room) {
    constexpr std::array<int, 4> as_written = {0, 1, 2, 3};
    constexpr std::array<int, 4> heads_first = {0, 2, 1, 3};
    constexpr Index gap_elements = 3;
    const bool has_heads = shape.rank == 4;
    const bool exchange = layout == Layout::head_major && has_heads;
    Placement placement{strides_of(shape, exchange ? heads_first : as_written,
                                   layout == Layout::gapped ? gap_elements : 0, room),
                        offset};
    if (layout == Layout::fused && shape.rank > 2) {
        constexpr Index arrays = 3;
        placement.stride[0] *= arrays;
        placement.stride[1] *= arrays;
    }
    if (layout == Layout::broadcast && has_heads) placement.stride[2] = 0;
    return placement;
}

template <class Byte>
Placement placement_of(const BasicView<Byte>& view) {
    const auto address = std::bit_cast<std::uintptr_t>(view.data);
    return {view.stride, Index(address % boundary / size_of(view.type))};
}

template Placement placement_of(const InputView& view);
template Placement placement_of(const OutputView& view);

Index span_of(const Shape& shape, const Placement& placement, Index room) {
    Index last = 0;
    for (std::size_t i = 0; i < std::size_t(shape.rank); ++i) {
        const Index extent = shape.extent[i] + room;
        if (extent == 0) return 0;
        last += (extent - 1) * placement.stride[i];
    }
    return last + 1;
}

}  // namespace kvcheck
