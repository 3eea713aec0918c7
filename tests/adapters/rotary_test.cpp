// SPDX-License-Identifier: Apache-2.0
// Rotary positions through the C interface: a library that turns by the table it is handed holds,
// and one that is handed cases of the other pairing is caught.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/adapters/plugins.hpp"
#include "tests/cli/child.hpp"

namespace kvcheck {
namespace {

TEST(Rotary, ReachesALibraryWithItsTableAndItsPairing) {
    const TemporaryFolder folder;
    const Outcome run = kvcheck_with(
        {"run", "--subject", plugin("TURNS"), "--quick", "--seed", "rotary", "--cases", "60"},
        folder.path());
    EXPECT_EQ(run.code, 0) << run.out << run.err;
    EXPECT_THAT(skipped_in(run),
                testing::ElementsAre(
                    "window_forgets", "branches_do_not_mix", "weights_match_the_oracle",
                    "lse_matches_the_oracle", "parts_merge_to_the_whole", "asks_see_every_key",
                    "stored_kv_matches_the_oracle", "reorder_is_replay", "forks_do_not_mix",
                    "finished_rows_stay", "evicted_is_hidden", "shifts_add_up",
                    "saved_is_continued", "reuse_is_replay", "other_prefix_is_refused",
                    "admission_is_as_append", "bad_save_is_refused"));
    EXPECT_THAT(run.out, testing::HasSubstr(" 0 failed, 17 skipped"));
}

TEST(Rotary, OfTheOtherPairingIsCaught) {
    const TemporaryFolder folder;
    const Outcome run =
        kvcheck_with({"run", "--subject", plugin("TURNS_HALVES"), "--property",
                      "outputs_match_the_oracle", "--seed", "rotary", "--corpus", "none"},
                     folder.path());
    EXPECT_EQ(run.code, 1) << run.out << run.err;
    EXPECT_THAT(run.out, testing::HasSubstr("(H 1, Hkv 1, Dk 4, Dv 1, 2 slots, rotary "));
}

}  // namespace
}  // namespace kvcheck
