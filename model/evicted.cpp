// SPDX-License-Identifier: Apache-2.0
// Ranges of slots (declared in evicted.hpp).
#include "model/evicted.hpp"

#include <algorithm>

namespace kvcheck {

bool EvictedSlots::has(Index slot) const {
    return std::any_of(ranges_.begin(), ranges_.end(), [slot](const Range& range) {
        return range.begin <= slot && slot < range.end;
    });
}

Index EvictedSlots::count() const {
    Index count = 0;
    for (const Range& range : ranges_) count += range.end - range.begin;
    return count;
}

EvictedSlots EvictedSlots::with(Index begin, Index end) const {
    EvictedSlots more;
    Range joined{begin, end};
    for (const Range& range : ranges_) {
        if (range.end < begin || end < range.begin) {
            more.ranges_.push_back(range);
        } else {
            joined = {std::min(joined.begin, range.begin), std::max(joined.end, range.end)};
        }
    }
    more.ranges_.push_back(joined);
    std::sort(more.ranges_.begin(), more.ranges_.end(),
              [](const Range& a, const Range& b) { return a.begin < b.begin; });
    return more;
}

EvictedSlots EvictedSlots::below(Index length) const {
    EvictedSlots fewer;
    for (const Range& range : ranges_) {
        if (range.begin < length) {
            fewer.ranges_.push_back({range.begin, std::min(range.end, length)});
        }
    }
    return fewer;
}

}  // namespace kvcheck
