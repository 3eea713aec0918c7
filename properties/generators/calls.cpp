// SPDX-License-Identifier: Apache-2.0
// Programs from rows (declared in calls.hpp).
#include "properties/generators/calls.hpp"

#include <algorithm>

#include "model/splits.hpp"

namespace kvcheck {

void append_calls(Case& test_case, const std::vector<RowSlots>& rows,
                  const std::vector<std::vector<Index>>& ends, bool with_offsets) {
    for (std::size_t n = 1; n < ends.front().size(); ++n) {
        Append append;
        if (with_offsets) append.query_offset.emplace();
        for (std::size_t r = 0; r < rows.size(); ++r) {
            auto& tokens = append.rows.emplace_back();
            for (Index slot = ends[r][n - 1]; slot < ends[r][n]; ++slot) {
                tokens.push_back(zero_token(test_case.spec, rows[r][std::size_t(slot)]));
            }
            if (with_offsets) append.query_offset->push_back(ends[r][n - 1]);
        }
        test_case.program.emplace_back(std::move(append));
    }
}

Case token_by_token(const Case& test_case) {
    std::vector<Counts> counts;
    for (const Segment& segment : segments_of(test_case)) {
        counts.push_back(
            counts_of(segment, std::vector<Index>(std::size_t(longest_row(segment)), 1)));
    }
    return resplit(test_case, counts);
}

void force_a_real_token(std::vector<RowSlots>& rows) {
    for (const RowSlots& row : rows) {
        if (std::find(row.begin(), row.end(), true) != row.end()) return;
    }
    rows.front().assign(rows.front().size(), true);
}

}  // namespace kvcheck
