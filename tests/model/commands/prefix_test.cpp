// SPDX-License-Identifier: Apache-2.0
// Publish and reuse (clause 11): when each is admissible, what is found, and what becomes of it.
#include <gtest/gtest.h>

#include "model/cache_state.hpp"
#include "model/forgotten.hpp"
#include "model/row_choice.hpp"
#include "model/splits.hpp"
#include "tests/model/build.hpp"

namespace kvcheck {
namespace {

/// Two rows of "RPR" and none.
CacheState full_and_empty() {
    Spec spec;
    spec.rows = 2;
    spec.capacity = 8;
    CacheState state(spec, 0);
    state.apply(tiny_append({"RPR", ""}));
    return state;
}

TEST(Publish, IsOfARowThatHoldsTokensAsTheyWereAppended) {
    CacheState state = full_and_empty();
    EXPECT_EQ(state.objection(Publish{0, 1}), "");
    EXPECT_EQ(state.objection(Publish{1, 1}), "publish of row 1: it holds no token (clause 11)");
    EXPECT_EQ(state.objection(Publish{2, 1}), "publish of row 2: no such row (clause 12)");
    CacheState other = state;
    other.apply(Finish{0});
    EXPECT_EQ(other.objection(Publish{0, 1}), "");
    other = state;
    other.apply(Evict{0, 1, 2});
    EXPECT_EQ(other.objection(Publish{0, 1}),
              "publish of row 0: some of its slots are evicted (clause 11)");
    other.apply(Truncate{1, 0});
    EXPECT_EQ(other.objection(Publish{0, 1}), "") << "what was evicted is gone";
    other = state;
    other.apply(Evict{0, 0, 1});
    other.apply(Shift{0, 1});
    other.apply(Truncate{0, 0});
    other.apply(tiny_append({"R", ""}));
    EXPECT_EQ(other.objection(Publish{0, 1}), "publish of row 0: it is shifted (clause 11)");
    Append branch = tiny_append({"R", ""});
    branch.rows[0][0].back = 2;
    other = state;
    other.apply(branch);
    EXPECT_EQ(other.objection(Publish{0, 1}), "publish of row 0: it is a tree (clause 11)");
}

TEST(Reuse, IsByAnEmptyRowOfWhatHasAName) {
    CacheState state = full_and_empty();
    EXPECT_EQ(state.objection(Reuse{1, 7, 1}), "reuse by row 1: no prefix is named 7");
    state.apply(Publish{0, 7});
    EXPECT_EQ(state.objection(Reuse{1, 7, 3}), "");
    EXPECT_EQ(state.objection(Reuse{1, 7, 4}), "reuse by row 1: 4 slots of a prefix of 3");
    EXPECT_EQ(state.objection(Reuse{1, 7, 0}), "reuse by row 1: 0 slots of a prefix of 3");
    EXPECT_EQ(state.objection(Reuse{0, 7, 3}), "reuse by row 0: it holds tokens (clause 11)");
    EXPECT_EQ(state.objection(Reuse{2, 7, 3}), "reuse of row 2: no such row (clause 12)");
    state.apply(Finish{1});
    EXPECT_EQ(state.objection(Reuse{1, 7, 3}), "reuse by row 1: it is finished (clause 10)");
}

TEST(Reuse, FindsTheLongestPrefixThatIsPublishedWhole) {
    CacheState state = full_and_empty();
    state.apply(Publish{0, 7});
    state.apply(tiny_append({"R", ""}));
    state.apply(Publish{0, 8});
    const History all = state.row(0);
    state.apply(Reset{0});
    for (const auto& [slots, found] : {std::pair(4, 4), {3, 3}, {2, 0}}) {
        CacheState asked = state;
        asked.apply(Reuse{1, 8, slots});
        EXPECT_EQ(asked.row(1).length(), found) << slots;
        EXPECT_TRUE(all.continues(asked.row(1))) << slots;
    }
}

TEST(Reuse, LeavesARowThatIsNotFinishedAndGoesOnAlone) {
    CacheState state = full_and_empty();
    state.apply(Finish{0});
    state.apply(Publish{0, 7});
    state.apply(Reuse{1, 7, 3});
    EXPECT_FALSE(state.row(1).is_finished());
    state.apply(tiny_append({"", "R"}));
    EXPECT_EQ(state.row(0).length(), 3);
    EXPECT_EQ(state.row(1).length(), 4);
}

TEST(Prefixes, EndWithAResetOfAllRowsAndWithAReload) {
    for (const Command& command : {Command(Reset{}), Command(Reload{})}) {
        CacheState state = full_and_empty();
        state.apply(Publish{0, 7});
        state.apply(Reset{0});
        EXPECT_EQ(state.objection(Reuse{1, 7, 3}), "");
        state.apply(command);
        EXPECT_EQ(state.objection(Reuse{1, 7, 3}), "reuse by row 1: no prefix is named 7");
    }
}

TEST(Prefixes, ANameMeansWhatWasPublishedLast) {
    CacheState state = full_and_empty();
    state.apply(Publish{0, 7});
    state.apply(tiny_append({"R", ""}));
    state.apply(Publish{0, 7});
    EXPECT_EQ(state.prefixes().named(7)->length(), 4);
}

/// Row 0 publishes, and row 1 reuses.
Case one_for_another() {
    Case test_case = tiny_case(2, {tiny_append({"RR", ""})});
    test_case.program.emplace_back(Publish{0, 0});
    test_case.program.emplace_back(Reset{0});
    test_case.program.emplace_back(Reuse{1, 0, 2});
    return test_case;
}

TEST(Prefixes, KeepTheirTokensFromBeingForgotten) {
    Case test_case = one_for_another();
    EXPECT_TRUE(Forgotten(test_case, 3).empty());
    test_case.program.emplace_back(Reset{});
    EXPECT_FALSE(Forgotten(test_case, 5).empty());
}

TEST(Prefixes, ARowThatReusesAnotherOnesDoesNotStandAlone) {
    const Case test_case = one_for_another();
    EXPECT_TRUE(stands_alone(test_case, {0}));
    EXPECT_FALSE(stands_alone(test_case, {1}));
    EXPECT_TRUE(stands_alone(test_case, {1, 0}));
}

TEST(Prefixes, AreLeftOutOfAProgramWhereTheyMeanNothingAnyMore) {
    Case test_case = one_for_another();
    test_case.program.erase(test_case.program.begin() + 1);
    ASSERT_TRUE(repair(test_case));
    EXPECT_EQ(test_case.program.size(), 2U);
    Case shorter = one_for_another();
    std::get<Append>(shorter.program[0]).rows[0].pop_back();
    ASSERT_TRUE(repair(shorter));
    EXPECT_EQ(std::get<Reuse>(shorter.program[3]).slots, 1);
}

}  // namespace
}  // namespace kvcheck
