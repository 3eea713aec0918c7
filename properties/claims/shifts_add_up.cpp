// SPDX-License-Identifier: Apache-2.0
// Clause 10: a row that is shifted twice, with tokens between, goes on as one that was shifted once
// by as much: tokens see each other from the distances that they had, and those to come have lower
// ids. Room for it is made as engines make it, by the eviction of the first slots.
#include <algorithm>
#include <utility>

#include "model/quarter_turns.hpp"
#include "properties/catalogue.hpp"
#include "properties/drive/afterlife.hpp"

namespace kvcheck {
namespace {

Index lowest_id(const Continuation& life, Index row) {
    return life.state().row(row).lowest_id(life.state().position_ids());
}

/// Evicts the first slots of every row that has an id of zero and tokens to spare.
void make_room(Continuation& life) {
    constexpr Index most = 3;
    for (Index r = 0; r < life.state().row_count(); ++r) {
        const Index length = life.state().row(r).length();
        if (length == 0 || lowest_id(life, r) > 0) continue;
        life.add(Evict{r, 0, std::clamp<Index>(length - 1, 1, most)});
    }
}

/// Shifts every row that can be, by half of what it can be or by all of it. False where none can.
bool shift_rows(Continuation& life, Index parts) {
    bool any = false;
    for (Index r = 0; r < life.state().row_count(); ++r) {
        const Index lowest = lowest_id(life, r);
        if (lowest < 1) continue;
        life.add(Shift{r, (lowest + parts - 1) / parts});
        any = true;
    }
    return any;
}

}  // namespace

Verdict shifts_add_up(Subject& subject, const Case& test_case, Oracle& oracle) {
    if (!admits_shifts(test_case.spec, test_case.parameters))
        return Verdict::distrusted("its rotary table holds no quarter turns, or storage is int8");
    const FeatureSet& features = subject.capabilities().features;
    Judge judge(subject.capabilities());
    for (const std::size_t past : pasts_of(test_case)) {
        Continuation life(test_case, past, features);
        if (features.has(Feature::evict)) make_room(life);
        if (!shift_rows(life, 2) || !life.append(2)) continue;
        // Room again, so that the keys of these tokens are turned, too.
        if (features.has(Feature::evict)) make_room(life);
        shift_rows(life, 1);
        Afterlife(judge, subject, std::move(life), oracle).judge_forgotten();
    }
    return judge.verdict();
}

}  // namespace kvcheck
