// SPDX-License-Identifier: Apache-2.0
// Faults of where entries lie (declared in memory.hpp).
#include "impl/mutants/memory.hpp"

#include "impl/mutants/broken.hpp"

namespace kvcheck {
namespace {

/// What grows is copied in one piece, so that the slots of later heads lie where they lay.
class GrowthKeepsFlatOrder final : public PlainRules {
    PlainMemory memory() const override { return {.heads_apart = false}; }
};

/// Padding has -1 for a slot, which is the last one.
class PaddingGoesLast final : public PlainRules {
    PlainMemory memory() const override { return {.padding_in_its_slot = false}; }
};

/// What is appended to a truncated row comes behind what was cut off.
class AppendsBehindTruncated final : public PlainRules {
    PlainMemory memory() const override {
        return {.appends = PlainMemory::Appends::behind_truncated};
    }
};

/// All rows are written to where the longest one ends.
class AppendsBehindTheLongest final : public PlainRules {
    PlainMemory memory() const override {
        return {.appends = PlainMemory::Appends::behind_longest_row};
    }
};

/// Keys are reordered, values stay where they are.
class ReorderLeavesValues final : public PlainRules {
    bool reorders_values() const override { return false; }
};

}  // namespace

std::vector<MutantEntry> mutants_of_memory() {
    return {
        {{"growth_keeps_flat_order", "memory that grows is copied in one piece",
          broken<GrowthKeepsFlatOrder>},
         "stored_kv_matches_the_oracle",
         {1, 2, 5, 1},
         "a second head of keys, and a token more than there was room for at first",
         default_cases},
        {{"padding_goes_last", "padding is written to the last slot", broken<PaddingGoesLast>},
         "outputs_match_the_oracle",
         {1, 1, 2, 1},
         "padding, and a real token after it",
         default_cases},
        {{"appends_behind_truncated", "a truncated row is continued behind what was cut off",
          broken<AppendsBehindTruncated>},
         "outputs_match_the_oracle",
         {1, 1, 2, 3},
         "a slot that is cut off, and a token after it",
         default_cases,
         0,
         {1, 1, 3, 3}},
        {{"appends_behind_the_longest", "all rows are written to where the longest ends",
          broken<AppendsBehindTheLongest>},
         "stored_kv_matches_the_oracle",
         {2, 1, 1, 2},
         "a row that holds a slot, or is about to, and a token for another",
         default_cases,
         0,
         {2, 1, 2, 2}},
        {{"reorder_leaves_values", "keys are reordered, values stay where they are",
          broken<ReorderLeavesValues>},
         "reorder_is_replay",
         {2, 1, 1, 1},
         "two rows that differ; the property adds the rest",
         default_cases,
         0,
         {2, 1, 2, 1}},
    };
}

}  // namespace kvcheck
