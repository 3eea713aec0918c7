// SPDX-License-Identifier: Apache-2.0
// Rounds: every case of every part once and in order, all parts early, files first.
#include <gtest/gtest.h>

#include <map>

#include "properties/rounds/plan.hpp"

namespace kvcheck {
namespace {

using Kind = Job::Kind;

TEST(Plan, HasEveryPlaceOnceAndInOrder) {
    Plan plan({{Kind::cases, 200, false}, {Kind::worlds, 56172, false}, {Kind::cases, 1, true}});
    std::map<std::size_t, Index> done;
    Index number = 0;
    for (auto round = plan.next_round(); !round.empty(); round = plan.next_round()) {
        for (const Job& job : round) {
            EXPECT_EQ(job.number, number++);
            if (job.kind == Kind::replay) continue;
            EXPECT_EQ(job.begin, done[job.part]);
            EXPECT_LT(job.begin, job.end);
            done[job.part] = job.end;
        }
    }
    EXPECT_EQ(done, (std::map<std::size_t, Index>{{0, 200}, {1, 56172}, {2, 1}}));
}

TEST(Plan, MeetsEveryPartWithTwoCasesBeforeAnyWithMore) {
    Plan plan({{Kind::cases, 200, false}, {Kind::cases, 200, true}, {Kind::worlds, 100, false}});
    const std::vector<Job> first = plan.next_round();
    ASSERT_EQ(first.size(), 4U);
    EXPECT_EQ(first[0].kind, Kind::replay);
    EXPECT_EQ(first[0].part, 1U);
    for (const Job& job : {first[1], first[2]}) EXPECT_EQ(job.end, 2);
    EXPECT_EQ(first[3].kind, Kind::worlds);
    for (const Job& job : plan.next_round()) EXPECT_NE(job.kind, Kind::replay);
}

TEST(Plan, GoesOnForAsLongAsThereAreCases) {
    Plan plan({{Kind::cases, 100000000, false}});
    Index done = 0;
    for (int round = 0; round < 50; ++round) {
        const std::vector<Job> jobs = plan.next_round();
        ASSERT_FALSE(jobs.empty());
        EXPECT_EQ(jobs.front().begin, done);
        done = jobs.back().end;
    }
    EXPECT_LT(done, 100000) << "a round is short however many cases there are";
}

TEST(Plan, HasNothingMoreForAPartThatIsClosed) {
    Plan plan({{Kind::cases, 200, false}, {Kind::cases, 200, false}});
    plan.next_round();
    plan.close(0);
    for (const Job& job : plan.next_round()) EXPECT_EQ(job.part, 1U);
}

}  // namespace
}  // namespace kvcheck
