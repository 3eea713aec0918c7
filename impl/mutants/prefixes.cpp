// SPDX-License-Identifier: Apache-2.0
// Prefixes that are published or found wrongly (declared in prefixes.hpp).
#include "impl/mutants/prefixes.hpp"

#include "impl/mutants/broken.hpp"

namespace kvcheck {
namespace {

/// A prefix stays in the memory of the row that published it.
class PrefixSharesMemory final : public PlainRules {
    PrefixRules prefixes() const override { return {.copies = false}; }
};

/// Which tokens are padding is no part of a key.
class PrefixIgnoresValidity final : public PlainRules {
    PrefixRules prefixes() const override { return {.flags = false}; }
};

/// The revision is no part of a key.
class PrefixIgnoresRevision final : public PlainRules {
    PrefixRules prefixes() const override { return {.revision = false}; }
};

/// Keys with the same hash are taken for the same.
class PrefixTrustsItsHash final : public PlainRules {
    PrefixRules prefixes() const override { return {.compares_keys = false}; }
};

/// Labels are cut to 32 bits before they are kept.
class PrefixCutsItsLabels final : public PlainRules {
    PrefixRules prefixes() const override { return {.whole_labels = false}; }
};

/// Where all that was asked for is found, its last token is run again behind it.
class PrefixHitDoublesTheLast final : public PlainRules {
    PrefixRules prefixes() const override { return {.doubles_the_last = true}; }
};

/// Other sessions, of any spec and parameters, find what this one has published.
class PrefixOfAnySession final : public PlainRules {
    PrefixRules prefixes() const override { return {.per_session = false}; }
};

/// The prefix that was published last is found, not the longest.
class PrefixFoundLast final : public PlainRules {
    PrefixRules prefixes() const override { return {.longest = false}; }
};

/// Prefixes outlive the reset of all rows.
class PrefixSurvivesReset final : public PlainRules {
    PrefixRules prefixes() const override { return {.end_with_reset = false}; }
};

}  // namespace

std::vector<MutantEntry> mutants_of_prefixes() {
    return {
        {{"prefix_shares_memory", "a published prefix lies in the memory of its row",
          broken<PrefixSharesMemory>},
         "reuse_is_replay",
         {1, 1, 1, 1},
         "a slot; the property publishes it, writes over it and reuses it",
         default_cases},
        {{"prefix_ignores_validity", "which tokens are padding does not tell prefixes apart",
          broken<PrefixIgnoresValidity>},
         "other_prefix_is_refused",
         {1, 1, 1, 1},
         "a slot, whose flag the property changes",
         default_cases},
        {{"prefix_ignores_revision", "the revision does not tell prefixes apart",
          broken<PrefixIgnoresRevision>},
         "other_prefix_is_refused",
         {1, 1, 1, 1},
         "a slot; the property asks for it with another revision",
         default_cases},
        {{"prefix_trusts_its_hash", "prefixes with one hash are taken for one",
          broken<PrefixTrustsItsHash>},
         "other_prefix_is_refused",
         {1, 1, 1, 1},
         "a slot, whose label the property changes where all hashes are the same",
         default_cases},
        {{"prefix_cuts_its_labels", "labels of prefixes are cut to 32 bits",
          broken<PrefixCutsItsLabels>},
         "other_prefix_is_refused",
         {1, 1, 1, 1},
         "a slot, of whose label the property changes an upper bit",
         default_cases},
        {{"prefix_hit_doubles_the_last", "after a whole hit the last token is run again",
          broken<PrefixHitDoublesTheLast>},
         "reuse_is_replay",
         {1, 1, 1, 1},
         "a slot; the property publishes and reuses it",
         default_cases},
        {{"prefix_of_any_session", "other sessions find what this one has published",
          broken<PrefixOfAnySession>},
         "other_prefix_is_refused",
         {1, 1, 1, 1},
         "a slot; the property asks for it in another object",
         default_cases},
        {{"prefix_found_last", "the prefix published last is found, not the longest",
          broken<PrefixFoundLast>},
         "other_prefix_is_refused",
         {1, 1, 2, 1},
         "two slots, so that a part of them is shorter; the property publishes both",
         default_cases},
        {{"prefix_survives_reset", "prefixes outlive the reset of all rows",
          broken<PrefixSurvivesReset>},
         "other_prefix_is_refused",
         {1, 1, 1, 1},
         "a slot; the property resets all rows and asks for it",
         default_cases},
    };
}

}  // namespace kvcheck
