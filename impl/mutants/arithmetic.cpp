// SPDX-License-Identifier: Apache-2.0
// Faults of heads, scores and the softmax (declared in arithmetic.hpp).
#include "impl/mutants/arithmetic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "impl/mutants/broken.hpp"
#include "impl/plain/storage.hpp"

namespace kvcheck {
namespace {

/// Query heads take the heads of keys in turn, not in groups.
class HeadsInTurn final : public PlainRules {
    Index kv_head(const Spec& spec, Index query_head) const override {
        return query_head % spec.kv_heads;
    }
};

/// Query heads are handled in tiles of four, which read the keys of the tile's first.
class HeadsInTiles final : public PlainRules {
    Index kv_head(const Spec& spec, Index query_head) const override {
        constexpr Index tile = 4;
        return PlainRules::kv_head(spec, query_head / tile * tile);
    }
};

/// The default scale is that of the width to which heads are filled up.
class ScaleOfPaddedWidth final : public PlainRules {
    Index scaled_width(const Spec& spec) const override {
        constexpr Index multiple = 8;
        return (spec.key_width + multiple - 1) / multiple * multiple;
    }
};

/// Scores are rounded to fp16 before they are scaled.
class ScoresInHalf final : public PlainRules {
    double product(double dot) const override { return narrowed(Storage::fp16, dot); }
};

/// Scores have their exponential as they are.
class NoMaximum final : public PlainRules {
    double reference(double) const override { return 0; }
};

/// The largest score so far is -1e5 at first.
class MaximumFromASentinel final : public PlainRules {
    double reference(double largest) const override {
        constexpr double sentinel = -1e5;
        return std::max(largest, sentinel);
    }
};

/// Hidden keys are weighed with zero where they should be left out.
class HiddenTimesZero final : public PlainRules {
    bool sees(const TokenPlace& query, Index key) const override { return key <= query.slot(); }
    float score_offset(const TokenPlace& query, Index key) const override {
        const bool seen = PlainRules::sees(query, key);
        return seen ? 0 : -std::numeric_limits<float>::infinity();
    }
};

/// Padding is hidden as a query, and seen as a key.
class PaddingOnTheWrongAxis final : public PlainRules {
    bool sees(const TokenPlace& query, Index key) const override {
        return key <= query.slot() && is_on_path(query, key) && !is_evicted(query, key) &&
               in_window(query, key);
    }
};

/// Slots that hold nothing yet weigh as if their score were zero.
class UnusedSlotsWeigh final : public PlainRules {
    Index unused_keys(Index slots) const override { return slots; }
};

/// Slopes are those of the usual formula, whatever was given.
class SlopesByFormula final : public PlainRules {
    float slope(const Spec& spec, Index query_head, float) const override {
        constexpr float octaves = 8;
        return std::exp2(-octaves * float(query_head + 1) / float(spec.query_heads));
    }
};

/// A query that sees nothing has the sum of nothing over nothing for an answer.
class DeadRowsAreNan final : public PlainRules {
    DeadRow dead_row(const Spec&) const override { return DeadRow::nan; }
};

}  // namespace

std::vector<MutantEntry> mutants_of_arithmetic() {
    return {
        {{"heads_in_turn", "query heads take the heads of keys in turn, not in groups",
          broken<HeadsInTurn>},
         "outputs_match_the_oracle",
         {1, 4, 1, 1},
         "two groups of two",
         default_cases},
        {{"heads_in_tiles", "four query heads read the keys of the first of them",
          broken<HeadsInTiles>},
         "outputs_match_the_oracle",
         {1, 2, 1, 1},
         "a second head, with keys of its own",
         default_cases},
        {{"scale_of_padded_width", "the default scale is that of a multiple of eight",
          broken<ScaleOfPaddedWidth>},
         "outputs_match_the_oracle",
         {1, 1, 2, 1},
         "the weight of a single key is one whatever its score",
         default_cases,
         1},
        {{"scores_in_half", "scores are rounded to fp16 before they are scaled",
          broken<ScoresInHalf>},
         "outputs_match_the_oracle",
         {1, 1, 1, 1},
         "a score that overflows, or two of which one is rounded",
         default_cases,
         0,
         {1, 1, 2, 1}},
        {{"no_maximum", "scores have their exponential as they are", broken<NoMaximum>},
         "outputs_match_the_oracle",
         {1, 1, 1, 1},
         "one key whose exponential overflows or is zero, or two of which one is",
         default_cases,
         0,
         {1, 1, 2, 1}},
        {{"maximum_from_a_sentinel", "the largest score so far is -1e5 at first",
          broken<MaximumFromASentinel>},
         "outputs_match_the_oracle",
         {1, 1, 1, 1},
         "one key with a lower score, or two",
         default_cases,
         0,
         {1, 1, 2, 1}},
        {{"hidden_times_zero", "hidden keys are weighed with zero, not left out",
          broken<HiddenTimesZero>},
         "padding_is_invisible",
         {1, 1, 2, 1},
         "padding that is no number, and a query that does not see it",
         default_cases},
        {{"padding_on_the_wrong_axis", "padding is hidden as a query, and seen as a key",
          broken<PaddingOnTheWrongAxis>},
         "padding_is_invisible",
         {1, 1, 2, 1},
         "padding, and a query that should not see it",
         default_cases},
        {{"unused_slots_weigh", "slots that hold nothing weigh as if their score were zero",
          broken<UnusedSlotsWeigh>},
         "outputs_match_the_oracle",
         {1, 1, 1, 1},
         "a key, and a slot more",
         default_cases},
        {{"slopes_by_formula", "slopes are those of a formula, whatever was given",
          broken<SlopesByFormula>},
         "outputs_match_the_oracle",
         {1, 1, 2, 1},
         "the weight of a single key is one whatever its score",
         default_cases},
        {{"dead_rows_are_nan", "a query that sees nothing is answered with NaN",
          broken<DeadRowsAreNan>},
         "dead_rows_are_as_declared",
         {1, 1, 1, 1},
         "padding",
         default_cases},
    };
}

}  // namespace kvcheck
