// SPDX-License-Identifier: Apache-2.0
// Which stretches of memory the elements of an array cover. An array is filled and compared a
// stretch at a time, because most layouts are one stretch or a few. Nothing here touches memory.
#pragma once

#include <array>
#include <vector>

#include "model/types/view.hpp"

namespace kvcheck {

/// Elements side by side, counted from element zero.
struct Stretch {
    Index begin = 0;
    Index size = 0;

    Index end() const { return begin + size; }
    bool operator==(const Stretch&) const = default;
};

/// Every place that an element of `shape` has under `stride` lies in one of these stretches, and
/// nothing else does. They ascend and neither overlap nor touch, also where several elements share
/// a place (stride 0, or strides shorter than what they step over). Strides count elements; none is
/// negative. Empty where there is no element.
std::vector<Stretch> stretches_of(const Shape& shape, const std::array<Index, 4>& stride);

}  // namespace kvcheck
