// SPDX-License-Identifier: Apache-2.0
// Faults of one path (declared in paths.hpp).
#include "impl/mutants/paths.hpp"

#include <algorithm>

#include "impl/mutants/broken.hpp"

namespace kvcheck {
namespace {

/// The causal mask of every row is built from what the first row holds.
class MaskOfFirstRow final : public PlainRules {
    bool sees(const TokenPlace& query, Index key) const override {
        return PlainRules::sees(query, key) && key <= query.past_of_first_row + query.index;
    }
};

/// The window holds a slot more in calls of several tokens.
class WindowWideInChunks final : public PlainRules {
    bool in_window(const TokenPlace& query, Index key) const override {
        if (PlainRules::in_window(query, key)) return true;
        const Index between = ancestors(query, false) - ancestors(query.at(key), false);
        return query.count() > 1 && between == query.spec.window;
    }
};

/// A ring lets the oldest slot go when it is full, not when it needs the room.
class WindowRollsEarly final : public PlainRules {
    bool in_window(const TokenPlace& query, Index key) const override {
        const std::optional<Index>& window = query.spec.window;
        const bool is_full = window && *window > 1 && ancestors(query, false) + 1 >= *window;
        const Index between = ancestors(query, false) - ancestors(query.at(key), false);
        return PlainRules::in_window(query, key) && !(is_full && between == *window - 1);
    }
};

/// Ids count visible tokens in a first call, and slots in later ones.
class DecodeCountsSlots final : public PlainRules {
    Index position_id(const TokenPlace& token, PositionIds ids) const override {
        return PlainRules::position_id(token, token.past > 0 ? PositionIds::slot : ids);
    }
};

/// The token of a call that brings one has id 0.
class OneTokenWithoutPosition final : public PlainRules {
    Index position_id(const TokenPlace& token, PositionIds ids) const override {
        return token.past > 0 && token.count() == 1 ? 0 : PlainRules::position_id(token, ids);
    }
};

/// Distances are taken within the call; what was cached before it has none.
class SlopesOverQueries final : public PlainRules {
    double bias(const TokenPlace& query, Index key, float slope) const override {
        return key < query.past ? 0 : PlainRules::bias(query, key, slope);
    }
};

/// The cap is kept in calls of one token alone.
class SoftcapOfOneToken final : public PlainRules {
    std::optional<float> softcap(const TokenPlace& query, float scale) const override {
        return query.count() > 1 ? std::nullopt : PlainRules::softcap(query, scale);
    }
};

/// Calls of several tokens read integers without their scales.
class ScalesOfOneToken final : public PlainRules {
    bool reads_integers(const TokenPlace& query, Index) const override { return query.count() > 1; }
};

/// So does every later call of what was cached before it.
class IntegersReadBack final : public PlainRules {
    bool reads_integers(const TokenPlace& query, Index slot) const override {
        return slot < query.past;
    }
};

/// Of the last block the length modulo its size is seen: nothing where it is full.
class FullBlockIsEmpty final : public PlainRules {
    bool sees(const TokenPlace& query, Index key) const override {
        constexpr Index block = 2;
        const Index slots = query.slot() + 1;
        const bool in_last_block = key >= slots - block;
        return PlainRules::sees(query, key) && !(slots % block == 0 && in_last_block);
    }
};

/// The queries of a row are looked for right behind those of the row before.
class RowsReadPacked final : public PlainRules {
    InputView queries(const InputView& given) const override {
        InputView packed = given;
        const Index rows = std::max<Index>(given.shape.extent[0], 1);
        packed.stride[0] = given.shape.size() / rows;
        return packed;
    }
};

}  // namespace

std::vector<MutantEntry> mutants_of_paths() {
    return {
        {{"mask_of_first_row", "the causal mask of all rows is the first row's",
          broken<MaskOfFirstRow>},
         "outputs_match_the_oracle",
         {2, 1, 2, 2},
         "a first row that holds less than the second",
         default_cases},
        {{"window_wide_in_chunks", "the window holds a slot more in calls of several tokens",
          broken<WindowWideInChunks>},
         "outputs_match_the_oracle",
         {1, 1, 2, 1},
         "a key just outside the window of the next query of its call",
         default_cases},
        {{"window_rolls_early", "the oldest slot goes as soon as the window is full",
          broken<WindowRollsEarly>},
         "outputs_match_the_oracle",
         {1, 1, 2, 1},
         "a window of two, full",
         default_cases},
        {{"decode_counts_slots", "ids count visible tokens first, and slots in later calls",
          broken<DecodeCountsSlots>},
         "outputs_match_the_oracle",
         {1, 1, 3, 2},
         "padding, and then a key and a query in a later call",
         default_cases,
         2},
        {{"one_token_without_position", "in a call of one token its id is 0",
          broken<OneTokenWithoutPosition>},
         "outputs_match_the_oracle",
         {1, 1, 2, 2},
         "a cached token, before which ids are 0 anyway, and another",
         default_cases},
        {{"slopes_over_queries", "slopes see no distance to what was cached before a call",
          broken<SlopesOverQueries>},
         "outputs_match_the_oracle",
         {1, 1, 2, 2},
         "a cached key, and a query at a distance",
         default_cases},
        {{"softcap_of_one_token", "a softcap has no effect in calls of several tokens",
          broken<SoftcapOfOneToken>},
         "outputs_match_the_oracle",
         {1, 1, 2, 1},
         "the weight of a single key is one whatever its score",
         default_cases},
        {{"int8_scales_of_one_token", "calls of several tokens read integers without their scales",
          broken<ScalesOfOneToken>},
         "outputs_match_the_oracle",
         {1, 1, 2, 1},
         "two tokens in a call",
         default_cases},
        {{"int8_integers_read_back", "later calls read integers without their scales",
          broken<IntegersReadBack>},
         "outputs_match_the_oracle",
         {1, 1, 2, 2},
         "a cached token, and a call after it",
         default_cases},
        {{"full_block_is_empty", "what is seen of the last block is its length modulo its size",
          broken<FullBlockIsEmpty>},
         "outputs_match_the_oracle",
         {1, 1, 2, 1},
         "a block of two, full",
         default_cases},
        {{"rows_read_packed", "queries of a row are read right behind those of the row before",
          broken<RowsReadPacked>},
         "buffers_are_respected",
         {2, 1, 1, 1},
         "two rows that lie apart",
         default_cases},
    };
}

}  // namespace kvcheck
