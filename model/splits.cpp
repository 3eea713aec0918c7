// SPDX-License-Identifier: Apache-2.0
// Cutting and joining calls (declared in splits.hpp).
#include "model/splits.hpp"

#include <algorithm>

#include "model/types/assert.hpp"
#include "model/walk.hpp"

namespace kvcheck {

std::vector<Segment> segments_of(const Case& test_case) {
    std::vector<Segment> segments(1, Segment(std::size_t(test_case.spec.rows)));
    for (const Command& command : test_case.program) {
        const auto* append = std::get_if<Append>(&command);
        if (append == nullptr) {
            segments.emplace_back(std::size_t(test_case.spec.rows));
            continue;
        }
        for (std::size_t r = 0; r < append->rows.size(); ++r) {
            auto& row = segments.back()[r];
            row.insert(row.end(), append->rows[r].begin(), append->rows[r].end());
        }
    }
    return segments;
}

Index longest_row(const Segment& segment) {
    Index longest = 0;
    for (const auto& row : segment) longest = std::max(longest, Index(row.size()));
    return longest;
}

Case resplit(const Case& test_case, const std::vector<Counts>& counts) {
    const std::vector<Segment> segments = segments_of(test_case);
    KVCHECK_ASSERT(counts.size() == segments.size());
    const bool with_offsets = features_of(test_case).has(Feature::query_offset);
    Case result{test_case.spec, test_case.parameters, {}};
    std::size_t segment = 0;
    const auto add_calls = [&] {
        std::vector<Index> done(segments[segment].size(), 0);
        for (const std::vector<Index>& call : counts[segment]) {
            Append append;
            if (with_offsets) append.query_offset.emplace(done.size());
            for (std::size_t r = 0; r < done.size(); ++r) {
                const auto begin = segments[segment][r].begin() + done[r];
                append.rows.emplace_back(begin, begin + call[r]);
                done[r] += call[r];
            }
            result.program.emplace_back(std::move(append));
        }
        for (std::size_t r = 0; r < done.size(); ++r) {
            KVCHECK_ASSERT(done[r] == Index(segments[segment][r].size()));
        }
        ++segment;
    };
    for (const Command& command : test_case.program) {
        if (std::holds_alternative<Append>(command)) continue;
        add_calls();
        result.program.push_back(command);
    }
    add_calls();
    repair_offsets(result);
    return result;
}

Counts counts_of(const Segment& segment, const std::vector<Index>& sizes) {
    std::vector<Index> left;
    left.reserve(segment.size());
    for (const auto& row : segment) left.push_back(Index(row.size()));
    Counts calls;
    const auto take = [&](Index size) {
        auto& counts = calls.emplace_back();
        for (Index& remaining : left) {
            counts.push_back(std::min(size, remaining));
            remaining -= counts.back();
        }
    };
    if (longest_row(segment) == 0) return calls;
    for (const Index size : sizes) take(size);
    const Index longest = *std::max_element(left.begin(), left.end());
    if (longest > 0) take(longest);
    return calls;
}

void repair_offsets(Case& test_case) {
    for_each_append(test_case, [](Index, Append& append, const CacheState& before) {
        if (!append.query_offset) return;
        append.query_offset->resize(std::size_t(before.row_count()));
        for (Index r = 0; r < before.row_count(); ++r) {
            (*append.query_offset)[std::size_t(r)] = before.row(r).length();
        }
    });
}

}  // namespace kvcheck
