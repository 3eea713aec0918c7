// SPDX-License-Identifier: Apache-2.0
// States that are saved or loaded wrongly (declared in saving.hpp).
#include "impl/mutants/saving.hpp"

#include <algorithm>

#include "impl/mutants/broken.hpp"

namespace kvcheck {
namespace {

/// Which tokens are padding is not saved: all are real when they are loaded.
class SaveForgetsValidity final : public PlainRules {
    SavedSlots saved(const Spec&, SavedSlots row) const override {
        row.real.assign(row.real.size(), true);
        return row;
    }
};

/// What is evicted is not saved.
class SaveForgetsEvictions final : public PlainRules {
    SavedSlots saved(const Spec&, SavedSlots row) const override {
        row.evicted.assign(row.evicted.size(), false);
        return row;
    }
};

/// Which slot a token follows is not saved: each follows the one before it.
class SaveForgetsParents final : public PlainRules {
    SavedSlots saved(const Spec&, SavedSlots row) const override {
        row.parents.clear();
        return row;
    }
};

/// Which rows are finished is not saved.
class SaveForgetsFinished final : public PlainRules {
    SavedSlots saved(const Spec&, SavedSlots row) const override {
        row.finished = false;
        return row;
    }
};

/// A row is saved as long as its capacity, with slots that nobody appended.
class SavesTheCapacity final : public PlainRules {
    SavedSlots saved(const Spec& spec, SavedSlots row) const override {
        row.real.resize(std::size_t(spec.capacity), false);
        row.evicted.resize(std::size_t(spec.capacity), false);
        return row;
    }
};

/// Only whole blocks are saved, of two slots each.
class SavesWholeBlocks final : public PlainRules {
    SavedSlots saved(const Spec&, SavedSlots row) const override {
        constexpr std::size_t block_slots = 2;
        const std::size_t whole = row.real.size() / block_slots * block_slots;
        row.real.resize(whole);
        row.evicted.resize(whole);
        return row;
    }
};

/// All but the last slot of a row is saved.
class SavesOneSlotLess final : public PlainRules {
    SavedSlots saved(const Spec&, SavedSlots row) const override {
        if (row.real.empty()) return row;
        row.real.pop_back();
        row.evicted.pop_back();
        return row;
    }
};

/// What comes after a load has ids from zero on.
class LoadRestartsIds final : public PlainRules {
    SavedSlots saved(const Spec& spec, SavedSlots row) const override {
        const bool by_slot = spec.position_ids == PositionIds::slot;
        row.shift =
            by_slot ? Index(row.real.size()) : std::count(row.real.begin(), row.real.end(), true);
        return row;
    }
};

/// A state is loaded with whatever parameters.
class LoadIgnoresParameters final : public PlainRules {
    bool knows_its_parameters() const override { return false; }
};

/// A damaged state is loaded as far as it can be.
class LoadIgnoresDamage final : public PlainRules {
    bool checks_the_sum() const override { return false; }
};

}  // namespace

std::vector<MutantEntry> mutants_of_saving() {
    return {
        {{"save_forgets_validity", "padding is real when it is loaded",
          broken<SaveForgetsValidity>},
         "saved_is_continued",
         {1, 1, 1, 1},
         "a padded slot; the property adds the rest",
         default_cases},
        {{"save_forgets_evictions", "evicted slots come back when they are loaded",
          broken<SaveForgetsEvictions>},
         "saved_is_continued",
         {1, 1, 1, 2},
         "a slot and its eviction; the property adds the rest",
         default_cases},
        {{"save_forgets_parents", "a tree is a row when it is loaded", broken<SaveForgetsParents>},
         "saved_is_continued",
         {1, 1, 2, 1},
         "two slots, the second of which does not follow the first; the property adds the rest",
         default_cases},
        {{"save_forgets_finished", "a finished row takes tokens once it is loaded",
          broken<SaveForgetsFinished>},
         "finished_rows_stay",
         {1, 1, 1, 1},
         "a row; the property finishes it and reloads",
         default_cases},
        {{"save_of_capacity", "a row is saved as long as its capacity", broken<SavesTheCapacity>},
         "saved_is_continued",
         {1, 1, 1, 1},
         "a slot, so that there is something to go on from",
         default_cases},
        {{"save_of_whole_blocks", "slots of a block that is not full are not saved",
          broken<SavesWholeBlocks>},
         "saved_is_continued",
         {1, 1, 1, 1},
         "a slot alone in its block",
         default_cases},
        {{"save_one_slot_less", "the last slot of a row is not saved", broken<SavesOneSlotLess>},
         "saved_is_continued",
         {1, 1, 1, 1},
         "a slot",
         default_cases},
        {{"load_restarts_ids", "ids start at zero behind a load", broken<LoadRestartsIds>},
         "saved_is_continued",
         {1, 1, 1, 1},
         "a slot; the property adds the rest",
         default_cases},
        {{"load_ignores_parameters", "a state is loaded with other parameters",
          broken<LoadIgnoresParameters>},
         "bad_save_is_refused",
         {1, 1, 1, 1},
         "a slot, so that there is something to go on from, and parameters",
         default_cases},
        {{"load_ignores_damage", "a damaged state is loaded as far as it can be",
          broken<LoadIgnoresDamage>},
         "bad_save_is_refused",
         {1, 1, 1, 1},
         "a slot, of which something is stored",
         default_cases},
    };
}

}  // namespace kvcheck
