// SPDX-License-Identifier: Apache-2.0
// Faults of drafts (declared in trees.hpp).
#include "impl/mutants/trees.hpp"

#include <algorithm>

#include "impl/mutants/broken.hpp"

namespace kvcheck {
namespace {

/// A draft is masked like any call: siblings see each other.
class TreeAsChain final : public PlainRules {
    bool is_on_path(const TokenPlace& query, Index key) const override {
        return key <= query.slot();
    }
};

/// A draft sees the whole cache: of what an earlier call drafted, the losing branches too.
class WholePrefixSeen final : public PlainRules {
    bool is_on_path(const TokenPlace& query, Index key) const override {
        return PlainRules::is_on_path(query, key) || key < query.past;
    }
};

/// The mask of a draft begins one slot late: the last token of the prefix is not seen.
class DraftMissesItsRoot final : public PlainRules {
    bool is_on_path(const TokenPlace& query, Index key) const override {
        const bool is_draft = query.is_in_tree() && key != query.slot();
        return PlainRules::is_on_path(query, key) && !(is_draft && key == query.past - 1);
    }
};

/// The id of a drafted token is its slot, or counts all real tokens of the row, where it should be
/// its depth.
class IdsOfSlots final : public PlainRules {
    Index position_id(const TokenPlace& token, PositionIds ids) const override {
        if (ids == PositionIds::slot) return token.slot();
        return std::count(token.real.begin(), token.real.begin() + token.slot(), true);
    }
};

/// The window counts slots, so that siblings push their ancestors out of it.
class WindowOfSlots final : public PlainRules {
    bool in_window(const TokenPlace& query, Index key) const override {
        const bool is_near = !query.spec.window || query.slot() - key < *query.spec.window;
        return is_near || (PlainRules::in_window(query, key) && !query.is_in_tree());
    }
};

}  // namespace

const std::vector<MutantEntry>& mutants_of_trees() {
    constexpr Index cases = 100;  // trees are in some
    static const std::vector<MutantEntry> entries = {
        {{"tree_as_chain", "a draft is masked like any call: siblings see each other",
          broken<TreeAsChain>},
         "branches_do_not_mix",
         {1, 1, 2, 1},
         "two tokens without a parent",
         cases},
        {{"losing_branches_seen", "a draft sees the whole cache, losing branches too",
          broken<WholePrefixSeen>},
         "branches_do_not_mix",
         {1, 1, 2, 2},
         "a token in the cache, and one in a second call that does not follow it",
         cases},
        {{"draft_misses_its_root", "a draft does not see the last token of its prefix",
          broken<DraftMissesItsRoot>},
         "outputs_match_the_oracle",
         {1, 1, 3, 2},
         "a token in the cache, one that follows it, and a branch, without which there is no draft",
         cases},
        {{"ids_of_slots_in_a_tree", "ids of a draft count slots where they should count ancestors",
          broken<IdsOfSlots>},
         "outputs_match_the_oracle",
         {1, 1, 3, 1},
         "a sibling, and two keys to weigh by ids; ids that are added to x show in one token alone",
         cases,
         0,
         {1, 1, 2, 1}},
        {{"window_of_slots_in_a_tree", "siblings push their ancestors out of the window",
          broken<WindowOfSlots>},
         "outputs_match_the_oracle",
         {1, 1, 3, 1},
         "an ancestor, a sibling and a query that is one token away from the first",
         2 * default_cases},
    };
    return entries;
}

}  // namespace kvcheck
