// SPDX-License-Identifier: Apache-2.0
// Queries without keys that are answered wrongly (declared in asks.hpp).
#include "impl/mutants/asks.hpp"

#include "impl/mutants/broken.hpp"

namespace kvcheck {
namespace {

/// The window of the spec holds for them, too.
class AskKeepsTheWindow final : public PlainRules {
    AskRules ask() const override { return {.window = true}; }
};

/// The first query sees the first key, the second the first two, and so on.
class AskIsCausal final : public PlainRules {
    AskRules ask() const override { return {.causal = true}; }
};

/// Padding is seen.
class AskSeesPadding final : public PlainRules {
    AskRules ask() const override { return {.padding = true}; }
};

}  // namespace

std::vector<MutantEntry> mutants_of_asks() {
    return {
        {{"ask_keeps_the_window", "queries without keys see no more than the window",
          broken<AskKeepsTheWindow>},
         "asks_see_every_key",
         {1, 1, 1, 1},
         "a key that the window has left behind when a query comes after it",
         default_cases},
        {{"ask_is_causal", "queries without keys see keys up to their own number",
          broken<AskIsCausal>},
         "asks_see_every_key",
         {1, 1, 2, 1},
         "two keys, of which the first query sees one",
         default_cases,
         0,
         {1, 1, 2, 2}},
        {{"ask_sees_padding", "queries without keys see padding", broken<AskSeesPadding>},
         "asks_see_every_key",
         {1, 1, 2, 1},
         "padding, and a real token, of its row or another, from which queries are taken",
         default_cases,
         0,
         {2, 1, 1, 1}},
    };
}

}  // namespace kvcheck
