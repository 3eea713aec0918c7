// SPDX-License-Identifier: Apache-2.0
// Clause 6: query_offset is an assertion. One row at a time is told a slot before or after its next
// one, the start of the row, the slot after the call, and numbers that look right once their upper
// bits are cut off; all else about the call is right. A row that receives nothing is asked too.
#include <fmt/format.h>

#include <set>

#include "model/cache_state.hpp"
#include "properties/catalogue.hpp"
#include "properties/claims/refusals.hpp"

namespace kvcheck {
namespace {

std::vector<WrongCall> wrong_offsets(const CacheState& state, const Append& next) {
    std::vector<WrongCall> calls;
    std::vector<Index> right;
    for (Index r = 0; r < Index(next.rows.size()); ++r) right.push_back(state.row(r).length());
    for (std::size_t r = 0; r < right.size(); ++r) {
        const Index count = Index(next.rows[r].size());
        std::set<Index> offsets_tried = {right[r] - 1, right[r] + 1, 0, right[r] + count};
        for (const int bits : {8, 16, 32, 48}) offsets_tried.insert(right[r] + (Index{1} << bits));
        for (const Index offset : offsets_tried) {
            if (offset == right[r]) continue;
            std::vector<Index> offsets = right;
            offsets[r] = offset;
            Damage damage;
            damage.what = fmt::format("query_offset of row {} is {}, its next slot is {}", r,
                                      offset, right[r]);
            damage.query_offset = offsets;
            calls.push_back({next, damage});
        }
    }
    return calls;
}

}  // namespace

Verdict wrong_offset_is_refused(Subject& subject, const Case& test_case, Oracle& oracle) {
    return judge_refusals(subject, test_case, oracle, wrong_offsets);
}

}  // namespace kvcheck
