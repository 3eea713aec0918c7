// SPDX-License-Identifier: Apache-2.0
// Slots of one row that are hidden for good (clause 10, evict), as ranges in order that do not
// touch. A value: what a query could not see when it was asked is kept beside it, unchanged.
#pragma once

#include <vector>

#include "model/types/spec.hpp"

namespace kvcheck {

class EvictedSlots {
public:
    struct Range {
        Index begin;
        Index end;  // the first slot after it
        bool operator==(const Range&) const = default;
    };

    bool empty() const { return ranges_.empty(); }
    bool has(Index slot) const;
    /// How many.
    Index count() const;
    const std::vector<Range>& ranges() const { return ranges_; }

    /// These and the slots begin ... end - 1.
    EvictedSlots with(Index begin, Index end) const;
    /// Those below `length`.
    EvictedSlots below(Index length) const;

    bool operator==(const EvictedSlots&) const = default;

private:
    std::vector<Range> ranges_;
};

}  // namespace kvcheck
