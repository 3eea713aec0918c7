// SPDX-License-Identifier: Apache-2.0
// Truncate, reorder, fork, finish, evict and shift (clause 10): when each is admissible and what is
// left.
#include <gtest/gtest.h>

#include "model/cache_state.hpp"
#include "tests/model/build.hpp"

namespace kvcheck {
namespace {

/// Two rows of "RPR" and "R".
CacheState long_and_short() {
    Spec spec;
    spec.rows = 2;
    spec.capacity = 8;
    CacheState state(spec, 0);
    state.apply(tiny_append({"RPR", "R"}));
    return state;
}

std::vector<bool> seen_from(const History& history, const Token& token) {
    const History longer = history.with(token);
    std::vector<bool> hidden;
    for (Index slot = 0; slot < history.length(); ++slot) {
        hidden.push_back(!longer.last()->hides(slot));
    }
    return hidden;
}

TEST(Truncate, LeavesTheFirstTokensAndNothingElse) {
    CacheState state = long_and_short();
    const auto first = state.row(0).tokens().front();
    state.apply(Truncate{1, 0});
    EXPECT_EQ(state.row(0).length(), 1);
    EXPECT_EQ(state.row(0).last().get(), first);
    EXPECT_EQ(state.row(1).length(), 1);
    state.apply(Truncate{0, std::nullopt});
    EXPECT_TRUE(state.row(0).empty());
    EXPECT_TRUE(state.row(1).empty());
}

TEST(Truncate, IsToALengthThatEveryRowItNamesHas) {
    const CacheState state = long_and_short();
    EXPECT_EQ(state.objection(Truncate{3, 0}), "");
    EXPECT_EQ(state.objection(Truncate{4, 0}),
              "truncate of row 0 to 4: it has 3 slots (clause 10)");
    EXPECT_EQ(state.objection(Truncate{-1, 0}),
              "truncate of row 0 to -1: it has 3 slots (clause 10)");
    EXPECT_EQ(state.objection(Truncate{2, std::nullopt}),
              "truncate of row 1 to 2: it has 1 slots (clause 10)");
    EXPECT_EQ(state.objection(Truncate{0, 2}), "truncate of row 2: no such row (clause 12)");
}

TEST(Reorder, RowsContinueTheirSources) {
    CacheState state = long_and_short();
    const auto long_row = state.row(0).last();
    const auto short_row = state.row(1).last();
    state.apply(Reorder{{1, 0, 1}});
    ASSERT_EQ(state.row_count(), 3);
    EXPECT_EQ(state.row(0).last(), short_row);
    EXPECT_EQ(state.row(1).last(), long_row);
    EXPECT_EQ(state.row(2).last(), short_row);
    state.apply(Reorder{{1}});
    ASSERT_EQ(state.row_count(), 1);
    EXPECT_EQ(state.row(0).last(), long_row);
}

TEST(Reorder, NamesRowsThatAreThereAndAtLeastOne) {
    const CacheState state = long_and_short();
    EXPECT_EQ(state.objection(Reorder{}), "reorder: no source (clause 10)");
    EXPECT_EQ(state.objection(Reorder{{0, 2}}), "reorder of row 2: no such row (clause 12)");
    EXPECT_EQ(state.objection(Reorder{{-1}}), "reorder of row -1: no such row (clause 12)");
}

TEST(Fork, AddsARowThatGoesItsOwnWay) {
    CacheState state = long_and_short();
    const auto last = state.row(0).last();
    state.apply(Fork{0});
    ASSERT_EQ(state.row_count(), 3);
    EXPECT_EQ(state.row(2).last(), last);
    state.apply(tiny_append({"", "", "R"}));
    EXPECT_EQ(state.row(0).last(), last);
    EXPECT_EQ(state.row(2).length(), 4);
    EXPECT_EQ(state.objection(Fork{3}), "fork of row 3: no such row (clause 12)");
}

TEST(Finish, TakesNoMoreTokensUntilAReset) {
    CacheState state = long_and_short();
    state.apply(Finish{0});
    EXPECT_EQ(state.objection(tiny_append({"", "R"})), "");
    EXPECT_EQ(state.objection(tiny_append({"R", ""})), "row 0: it is finished (clause 10)");
    state.apply(Reorder{{1, 0}});
    EXPECT_EQ(state.objection(tiny_append({"R", ""})), "");
    EXPECT_EQ(state.objection(tiny_append({"", "R"})), "row 1: it is finished (clause 10)");
    state.apply(Truncate{1, 1});
    EXPECT_NE(state.objection(tiny_append({"", "R"})), "") << "a cut does not make it grow again";
    state.apply(Reset{1});
    EXPECT_EQ(state.objection(tiny_append({"", "R"})), "");
}

TEST(Evict, HidesSlotsFromLaterQueriesAndKeepsIds) {
    CacheState state = long_and_short();
    const Node* const before = state.row(0).tokens()[2];
    state.apply(Evict{0, 0, 1});
    EXPECT_FALSE(before->hides(0)) << "what was computed stays";
    EXPECT_EQ(seen_from(state.row(0), {true, {}}), (std::vector<bool>{false, true, true}));
    const RowNumbers numbers = state.numbers(0);
    EXPECT_EQ(numbers.length, 3);
    EXPECT_EQ(numbers.visible_count, 1);
    EXPECT_EQ(numbers.retained_count, 2);
    EXPECT_EQ(numbers.next_id, 3);
    EXPECT_EQ(state.row(0).next_id(PositionIds::visible_count), 2) << "ids count what is evicted";
}

TEST(Evict, BelongsToTheTokenAndGoesWithTheRow) {
    CacheState state = long_and_short();
    state.apply(Evict{0, 1, 3});
    state.apply(Fork{0});
    EXPECT_EQ(state.row(2).evicted_count(), 2);
    state.apply(Truncate{2, 0});
    state.apply(tiny_append({"R", "", ""}));
    EXPECT_EQ(seen_from(state.row(0), {true, {}}), (std::vector<bool>{true, false, true}))
        << "another token stands in the slot";
    EXPECT_EQ(state.row(2).evicted_count(), 2);
    state.apply(Reset{0});
    EXPECT_EQ(state.row(0).evicted_count(), 0);
}

TEST(Evict, IsOfSlotsThatTheRowHas) {
    const CacheState state = long_and_short();
    EXPECT_EQ(state.objection(Evict{1, 0, 1}), "");
    for (const Evict& wrong : {Evict{1, 0, 2}, Evict{1, 1, 1}, Evict{1, -1, 1}, Evict{0, 2, 1}}) {
        EXPECT_NE(state.objection(wrong), "") << wrong.begin << " to " << wrong.end;
    }
}

TEST(EvictedSlots, JoinWhatTouchesAndKeepTheirOrder) {
    const EvictedSlots slots = EvictedSlots().with(4, 6).with(0, 1).with(6, 7);
    EXPECT_EQ(slots.ranges(), (std::vector<EvictedSlots::Range>{{0, 1}, {4, 7}}));
    EXPECT_EQ(slots.with(1, 4).ranges(), (std::vector<EvictedSlots::Range>{{0, 7}}));
    EXPECT_EQ(slots.below(5).ranges(), (std::vector<EvictedSlots::Range>{{0, 1}, {4, 5}}));
    EXPECT_EQ(slots.count(), 4);
    EXPECT_TRUE(slots.has(4));
    EXPECT_FALSE(slots.has(7));
}

TEST(Shift, LowersTheIdsToComeAndAddsUp) {
    CacheState state = long_and_short();
    state.apply(Evict{0, 0, 2});
    state.apply(Shift{0, 1});
    EXPECT_EQ(state.row(0).shift(), 1);
    state.apply(tiny_append({"R", ""}));
    EXPECT_EQ(position_id(PositionIds::slot, *state.row(0).last()), 2);
    EXPECT_EQ(unshifted_id(PositionIds::slot, *state.row(0).last()), 3);
    state.apply(Shift{0, 1});
    EXPECT_EQ(state.numbers(0).next_id, 2);
    EXPECT_EQ(state.numbers(0).next_slot, 4);
    EXPECT_EQ(state.numbers(1).next_id, 1);
}

TEST(Shift, LeavesNoIdBelowZero) {
    CacheState state = long_and_short();
    EXPECT_EQ(state.objection(Shift{0, 0}), "");
    EXPECT_EQ(state.objection(Shift{0, 1}), "shift of row 0 by 1: its lowest id is 0 (clause 10)");
    EXPECT_EQ(state.objection(Shift{0, -1}),
              "shift of row 0 by -1: its lowest id is 0 (clause 10)");
    EXPECT_EQ(state.objection(Shift{2, 0}), "shift of row 2: no such row (clause 12)");
    state.apply(Evict{0, 0, 1});  // the next real token is in slot 2
    EXPECT_EQ(state.objection(Shift{0, 2}), "");
    EXPECT_NE(state.objection(Shift{0, 3}), "");
    state.apply(Evict{0, 2, 3});
    EXPECT_EQ(state.objection(Shift{0, 3}), "");
    EXPECT_NE(state.objection(Shift{0, 4}), "");
}

TEST(Shift, StaysThroughATruncateAndGoesWithItsRow) {
    CacheState state = long_and_short();
    state.apply(Evict{0, 0, 1});
    state.apply(Shift{0, 2});
    state.apply(Fork{0});
    state.apply(Reorder{{2, 1}});
    state.apply(Truncate{1, 0});
    EXPECT_EQ(state.row(0).shift(), 2);
    EXPECT_EQ(state.objection(tiny_append({"R", ""})),
              "row 0, slot 1: its id lies below zero (clause 5)");
    EXPECT_EQ(state.objection(tiny_append({"", "R"})), "");
    state.apply(Reset{0});
    EXPECT_EQ(state.row(0).shift(), 0);
    EXPECT_EQ(state.objection(tiny_append({"R", ""})), "");
}

}  // namespace
}  // namespace kvcheck
