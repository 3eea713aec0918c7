// SPDX-License-Identifier: Apache-2.0
// What each query of a wave sees where its row is a tree (clause 16), as masks for the kernel. Rows
// without branches have none, and cost nothing: the kernel counts slots there.
#pragma once

#include <cstdint>
#include <vector>

#include "impl/fast/cache.hpp"
#include "impl/fast/plan.hpp"

namespace kvcheck::fast {

class TreeMasks {
public:
    /// Fills in the masks of a wave, whose tokens have their slots already. Memory is asked for
    /// only where a row is a tree.
    void fill(const Cache& cache, const std::vector<Segment>& segments, Index window);
    /// Writes those of a task's queries into `queries`; null where the row has no branches.
    void describe(const Task& task, QueryRows& queries) const;

private:
    struct OfSegment {
        Index first = 0;
        Index blocks = 0;  // 0: no masks
    };
    std::vector<std::uint64_t> masks_;  // of all segments, [tokens][blocks]
    std::vector<OfSegment> segments_;   // [segments], or empty where no row is a tree
    const Segment* first_segment_ = nullptr;
};

}  // namespace kvcheck::fast
