// SPDX-License-Identifier: Apache-2.0
// Faults of log-sum-exps (declared in partial.hpp). Outputs are right under all of them.
#include "impl/mutants/partial.hpp"

#include <cmath>
#include <numbers>

#include "impl/mutants/broken.hpp"

namespace kvcheck {
namespace {

/// The logarithm is that of base 2.
class LseInBase2 final : public PlainRules {
    double log_sum_exp(double largest, double sum) const override {
        return PlainRules::log_sum_exp(largest, sum) * std::numbers::log2e;
    }
};

/// The largest score, which was subtracted for the sum, is not added again.
class LseWithoutMaximum final : public PlainRules {
    double log_sum_exp(double, double sum) const override { return std::log(sum); }
};

/// Padding is in the sum.
class LseOfHiddenKeys final : public PlainRules {
    bool sums_hidden(const TokenPlace& query, Index key) const override {
        return key <= query.slot() && is_on_path(query, key) && in_window(query, key) &&
               !is_evicted(query, key) && !query.real[std::size_t(key)];
    }
};

/// Those of all rows are written to the first.
class LseIntoFirstRow final : public PlainRules {
    Index shown_row(Index) const override { return 0; }
};

}  // namespace

const std::vector<MutantEntry>& mutants_of_partial_attention() {
    static const std::vector<MutantEntry> entries = {
        {{"lse_in_base_2", "the log-sum-exp is in base 2", broken<LseInBase2>},
         "lse_matches_the_oracle",
         {1, 1, 1, 1},
         "one score"},
        {{"lse_without_maximum", "the log-sum-exp lacks the largest score",
          broken<LseWithoutMaximum>},
         "lse_matches_the_oracle",
         {1, 1, 1, 1},
         "one score"},
        {{"lse_of_hidden_keys", "padding is in the log-sum-exp", broken<LseOfHiddenKeys>},
         "lse_matches_the_oracle",
         {1, 1, 2, 1},
         "padding and a query after it, or a padded query that sees nothing",
         default_cases,
         0,
         {1, 1, 1, 1}},
        {{"lse_into_first_row", "log-sum-exps of all rows are written to the first",
          broken<LseIntoFirstRow>},
         "lse_matches_the_oracle",
         {2, 1, 1, 1},
         "a score in a second row",
         default_cases},
    };
    return entries;
}

}  // namespace kvcheck
