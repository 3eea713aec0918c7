// SPDX-License-Identifier: Apache-2.0
// Histories: what they share, when one continues another, how their tokens are numbered, and that a
// long one costs no stack.
#include "model/history.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include "tests/model/build.hpp"

namespace kvcheck {
namespace {

using testing::ElementsAre;

const Token real_token{true, {}};

TEST(History, AppendingSharesThePastAndLeavesItAsItIs) {
    const History past = history_of("RP");
    const History one = past.with(real_token);
    const History other = past.with(real_token);
    EXPECT_EQ(past.length(), 2);
    EXPECT_EQ(one.length(), 3);
    EXPECT_EQ(one.last()->before, past.last());
    EXPECT_EQ(other.last()->before, past.last());
    EXPECT_NE(one.last(), other.last());
}

const Token sibling{true, {}, 2};
const Token without_parent{true, {}, 3};

TEST(History, APathGoesOverParents) {
    const History row = history_of("PR").with(sibling).with(real_token).with({true, {}, 3});
    const std::vector<const Node*> slots = row.tokens();
    EXPECT_THAT(path_of(*slots[3]), ElementsAre(slots[0], slots[2], slots[3]));
    EXPECT_THAT(path_of(*slots[4]), ElementsAre(slots[0], slots[1], slots[4]));
    EXPECT_EQ(slots[3]->depth, 2);
    EXPECT_EQ(slots[3]->real_before, 1);
    EXPECT_EQ(position_id(PositionIds::slot, *slots[4]), 2);
    EXPECT_EQ(position_id(PositionIds::visible_count, *slots[4]), 1);
    EXPECT_EQ(row.length(), 5);
    EXPECT_EQ(row.next_id(PositionIds::slot), 3);
    EXPECT_EQ(row.next_id(PositionIds::visible_count), 2);
}

TEST(History, ATokenWithoutAParentBeginsAPath) {
    const History row = history_of("RR").with(without_parent).with(real_token);
    EXPECT_EQ(path_of(*row.last()).size(), 2U);
    EXPECT_EQ(row.last()->depth, 1);
    EXPECT_EQ(row.tokens()[2]->parent(), nullptr);
}

TEST(History, WhatIsEvictedOfAPathIsKnownByItsDepth) {
    const History row = history_of("RRR").without(1, 2).with({true, {}, 2}).with(real_token);
    const Node& query = *row.last();
    EXPECT_EQ(query.depth, 3);
    EXPECT_FALSE(query.hides(0));
    EXPECT_TRUE(query.hides(1));
    // Slot 3 is at depth 2, where slot 2 is not seen.
    EXPECT_FALSE(query.hides(2));
    const History other = history_of("RRR").without(2, 3).with({true, {}, 2}).with(real_token);
    EXPECT_EQ(other.last()->evicted, nullptr);
}

TEST(History, TheSharedPastOutlivesWhatWasAppended) {
    const History past = history_of("RPR");
    const std::vector<const Node*> before = past.tokens();
    { const History longer = past.with(real_token).with(real_token); }
    EXPECT_EQ(past.tokens(), before);
    EXPECT_THAT(before, testing::Each(testing::NotNull()));
}

TEST(History, WhatWasAppendedKeepsThePastAlive) {
    std::weak_ptr<const Node> first;
    History longer;
    {
        const History past = History().with({true, {7}});
        first = past.last();
        longer = past.with(real_token);
    }
    ASSERT_EQ(longer.tokens().size(), 2U);
    EXPECT_THAT(longer.tokens().front()->token.input, ElementsAre(7));
    longer = History();
    EXPECT_TRUE(first.expired());
}

TEST(History, TokensComeInSlotOrder) {
    const History row = History().with({true, {1}}).with({false, {2}}).with({true, {3}});
    std::vector<float> numbers;
    std::vector<Index> slots;
    for (const Node* node : row.tokens()) {
        numbers.push_back(node->token.input.front());
        slots.push_back(node->slot);
    }
    EXPECT_THAT(numbers, ElementsAre(1, 2, 3));
    EXPECT_THAT(slots, ElementsAre(0, 1, 2));
}

TEST(History, IdsCountSlotsOrTheRealTokensBefore) {
    const History row = history_of("PRPR");
    std::vector<Index> by_slot;
    std::vector<Index> by_count;
    for (const Node* node : row.tokens()) {
        by_slot.push_back(position_id(PositionIds::slot, *node));
        by_count.push_back(position_id(PositionIds::visible_count, *node));
    }
    EXPECT_THAT(by_slot, ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(by_count, ElementsAre(0, 0, 1, 1));
    EXPECT_EQ(row.real_count(), 2);
    EXPECT_EQ(row.next_id(PositionIds::slot), 4);
    EXPECT_EQ(row.next_id(PositionIds::visible_count), 2);
}

TEST(History, AnEmptyOneBeginsAtZero) {
    const History row;
    EXPECT_TRUE(row.empty());
    EXPECT_EQ(row.length(), 0);
    EXPECT_EQ(row.real_count(), 0);
    EXPECT_EQ(row.next_id(PositionIds::slot), 0);
    EXPECT_EQ(row.next_id(PositionIds::visible_count), 0);
    EXPECT_TRUE(row.tokens().empty());
    EXPECT_FALSE(row.with(real_token).empty());
}

TEST(History, ContinuesWhatItWasMadeFrom) {
    const History past = history_of("RP");
    EXPECT_TRUE(past.continues(past));
    EXPECT_TRUE(past.continues(History()));
    EXPECT_TRUE(History().continues(History()));
    EXPECT_TRUE(past.with(real_token).with(real_token).continues(past));
    EXPECT_FALSE(past.continues(past.with(real_token))) << "it is shorter";
    EXPECT_FALSE(History().continues(past));
}

TEST(History, DoesNotContinueOneOfEqualContents) {
    EXPECT_FALSE(history_of("RPR").continues(history_of("RP")));
    EXPECT_FALSE(history_of("RP").continues(history_of("RP")));
    const History past = history_of("R");
    const History one = past.with(real_token);
    EXPECT_FALSE(past.with(real_token).with(real_token).continues(one)) << "they parted";
}

/// Builds and destroys long rows; true where all was as it should be.
void* use_long_rows(void* right) {
    constexpr Index length = 300000;
    History row;
    for (Index n = 0; n < length; ++n) row = row.with(real_token);
    const History fork = row.with(real_token);
    *static_cast<bool*>(right) = row.length() == length && fork.continues(row);
    row = History();
    return nullptr;
}

TEST(History, ALongRowIsBuiltAndDestroyedOnASmallStack) {
    // One frame a token, as small as frames get, would be ten times this.
    constexpr std::size_t stack_bytes = 1 << 20;
    bool right = false;
    pthread_attr_t attributes;
    pthread_t thread{};
    ASSERT_EQ(pthread_attr_init(&attributes), 0);
    ASSERT_EQ(pthread_attr_setstacksize(&attributes, stack_bytes), 0);
    ASSERT_EQ(pthread_create(&thread, &attributes, use_long_rows, &right), 0);
    EXPECT_EQ(pthread_join(thread, nullptr), 0);
    pthread_attr_destroy(&attributes);
    EXPECT_TRUE(right);
}

}  // namespace
}  // namespace kvcheck
