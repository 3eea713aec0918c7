// SPDX-License-Identifier: Apache-2.0
// The reset (clause 10): when it is admissible, what it forgets, and what is left.
#include "model/commands/reset.hpp"

#include <gtest/gtest.h>

#include "tests/model/build.hpp"

namespace kvcheck {
namespace {

/// Two rows of "RP" and "R".
CacheState two_rows() {
    Spec spec;
    spec.rows = 2;
    spec.capacity = 4;
    CacheState state(spec, 0);
    state.apply(tiny_append({"RP", "R"}));
    return state;
}

TEST(Reset, OfARowThatIsNotThereIsInadmissible) {
    const CacheState state = two_rows();
    EXPECT_EQ(objection_to(Reset{}, state), "");
    EXPECT_EQ(objection_to(Reset{0}, state), "");
    EXPECT_EQ(objection_to(Reset{1}, state), "");
    EXPECT_EQ(objection_to(Reset{2}, state), "reset of row 2: no such row (clause 12)");
    EXPECT_EQ(objection_to(Reset{-1}, state), "reset of row -1: no such row (clause 12)");
}

TEST(Reset, OfOneRowLeavesTheOthersTheSame) {
    CacheState state = two_rows();
    const History other = state.row(0);
    apply(Reset{1}, state);
    EXPECT_TRUE(state.row(1).empty());
    EXPECT_EQ(state.row(0).last(), other.last());
}

TEST(Reset, OfAllRowsLeavesWhatANewStateHas) {
    CacheState state = two_rows();
    apply(Reset{}, state);
    for (const Index row : {0, 1}) {
        EXPECT_TRUE(state.row(row).empty());
        EXPECT_EQ(state.numbers(row), (RowNumbers{.length = 0,
                                                  .visible_count = 0,
                                                  .retained_count = 0,
                                                  .next_slot = 0,
                                                  .next_id = 0,
                                                  .write_end = 0}));
    }
}

TEST(Reset, LeavesACopyOfTheStateAlone) {
    const CacheState before = two_rows();
    CacheState after = before;
    apply(Reset{}, after);
    EXPECT_EQ(before.row(0).length(), 2);
    EXPECT_EQ(before.row(0).tokens().size(), 2U);
}

TEST(Reset, ForSomeRowsIsRenumberedOrGone) {
    EXPECT_EQ(for_rows(Reset{3}, {3, 1}), Reset{0});
    EXPECT_EQ(for_rows(Reset{1}, {3, 1}), Reset{1});
    EXPECT_EQ(for_rows(Reset{0}, {3, 1}), std::nullopt);
    EXPECT_EQ(for_rows(Reset{}, {3, 1}), Reset{});
}

TEST(Reset, NeedsItsFeatureForOneRowAndForAll) {
    EXPECT_EQ(needed_by(Reset{}), FeatureSet{Feature::reset});
    EXPECT_EQ(needed_by(Reset{0}), FeatureSet{Feature::reset_row});
}

TEST(ResetDeathTest, AppliedInSpiteOfAnObjectionIsOurOwnBug) {
    CacheState state = two_rows();
    EXPECT_DEATH(apply(Reset{2}, state), "kvcheck has a bug");
}

}  // namespace
}  // namespace kvcheck
