// SPDX-License-Identifier: Apache-2.0
// Masks of trees (declared in tree_masks.hpp).
#include "impl/fast/tree_masks.hpp"

#include <algorithm>

namespace kvcheck::fast {

void TreeMasks::fill(const Cache& cache, const std::vector<Segment>& segments, Index window) {
    masks_.clear();
    segments_.clear();
    const auto is_tree = [&](const Segment& segment) { return cache.row(segment.row).is_tree(); };
    if (std::none_of(segments.begin(), segments.end(), is_tree)) return;
    first_segment_ = segments.data();
    for (const Segment& segment : segments) {
        OfSegment& own = segments_.emplace_back();
        if (!is_tree(segment)) continue;
        const RowSlots& row = cache.row(segment.row);
        own = {Index(masks_.size()), row.blocks()};
        masks_.resize(masks_.size() + std::size_t(segment.tokens * own.blocks));
        for (Index t = 0; t < segment.tokens; ++t) {
            row.see(segment.past + t, window, masks_.data() + own.first + t * own.blocks);
        }
    }
}

void TreeMasks::describe(const Task& task, QueryRows& queries) const {
    queries.seen = nullptr;
    queries.seen_blocks = 0;
    if (segments_.empty()) return;
    const OfSegment& own = segments_[std::size_t(task.segment - first_segment_)];
    if (own.blocks == 0) return;
    queries.seen = masks_.data() + own.first + task.first * own.blocks;
    queries.seen_blocks = own.blocks;
}

}  // namespace kvcheck::fast
