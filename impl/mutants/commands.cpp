// SPDX-License-Identifier: Apache-2.0
// Commands that are carried out wrongly (declared in commands.hpp).
#include "impl/mutants/commands.hpp"

#include <algorithm>

#include "impl/mutants/broken.hpp"

namespace kvcheck {
namespace {

/// One slot too many goes.
class TruncatesTooMuch final : public PlainRules {
    std::optional<Lifecycle> carried_out(const Lifecycle& command) const override {
        const auto* truncate = std::get_if<Truncate>(&command);
        if (truncate == nullptr || truncate->length == 0) return command;
        return Truncate{truncate->length - 1, truncate->row};
    }
};

/// A length below zero is taken for none.
class TruncateTakesNegative final : public PlainRules {
    std::optional<Lifecycle> carried_out(const Lifecycle& command) const override {
        const auto* truncate = std::get_if<Truncate>(&command);
        if (truncate == nullptr) return command;
        return Truncate{std::max<Index>(truncate->length, 0), truncate->row};
    }
};

/// The rows that are asked for are made, and thrown away.
class ReorderIgnored final : public PlainRules {
    std::optional<Lifecycle> carried_out(const Lifecycle& command) const override {
        const auto* reorder = std::get_if<Reorder>(&command);
        if (reorder == nullptr || reorder->sources.empty()) return command;
        Reorder unchanged = *reorder;
        const auto& sources = reorder->sources;
        // Rows up to the last source are there for certain.
        const Index rows = *std::max_element(sources.begin(), sources.end()) + 1;
        for (Index r = 0; r < std::min(rows, Index(sources.size())); ++r)
            unchanged.sources[std::size_t(r)] = r;
        return unchanged;
    }
};

/// Rows are sent to their sources where they should be fetched from them. Of an exchange of two
/// rows that is the same; what is no permutation is done right.
class ReorderSends final : public PlainRules {
    std::optional<Lifecycle> carried_out(const Lifecycle& command) const override {
        const auto* reorder = std::get_if<Reorder>(&command);
        if (reorder == nullptr) return command;
        constexpr Index none = -1;
        Reorder sent{std::vector<Index>(reorder->sources.size(), none)};
        for (std::size_t r = 0; r < sent.sources.size(); ++r) {
            const auto to = std::size_t(reorder->sources[r]);
            if (to >= sent.sources.size() || sent.sources[to] != none) return command;
            sent.sources[to] = Index(r);
        }
        return sent;
    }
};

/// Rows are copied one after the other in place: a source may have been overwritten by then.
class ReorderInPlace final : public PlainRules {
    std::optional<Lifecycle> carried_out(const Lifecycle& command) const override {
        const auto* reorder = std::get_if<Reorder>(&command);
        if (reorder == nullptr) return command;
        Reorder in_place = *reorder;
        for (std::size_t r = 0; r < in_place.sources.size(); ++r) {
            const Index source = reorder->sources[r];
            if (source >= 0 && source < Index(r))
                in_place.sources[r] = in_place.sources[std::size_t(source)];
        }
        return in_place;
    }
};

/// A fork and its row write into the same memory until one of them needs more.
class ForkSharesMemory final : public PlainRules {
    bool copies_a_fork() const override { return false; }
};

/// The first row is forked, whichever was asked for.
class ForksTheFirstRow final : public PlainRules {
    std::optional<Lifecycle> carried_out(const Lifecycle& command) const override {
        return std::holds_alternative<Fork>(command) ? Fork{0} : command;
    }
};

/// A finished row takes more tokens.
class FinishIgnored final : public PlainRules {
    std::optional<Lifecycle> carried_out(const Lifecycle& command) const override {
        if (std::holds_alternative<Finish>(command)) return std::nullopt;
        return command;
    }
};

/// As many of the oldest slots go.
class EvictsTheOldest final : public PlainRules {
    std::optional<Lifecycle> carried_out(const Lifecycle& command) const override {
        const auto* evict = std::get_if<Evict>(&command);
        if (evict == nullptr) return command;
        return Evict{evict->row, 0, evict->end - evict->begin};
    }
};

/// Evicted slots can be seen again in a row that was forked or reordered.
class EvictionsStayBehind final : public PlainRules {
    bool copies_evictions() const override { return false; }
};

/// Ids by visible count go down where tokens are evicted.
class IdsCountWhatIsLeft final : public PlainRules {
    Index position_id(const TokenPlace& token, PositionIds ids) const override {
        const Index id = PlainRules::position_id(token, ids);
        if (ids == PositionIds::slot) return id;
        Index gone = 0;
        for (Index slot = 0; slot < token.slot(); ++slot) {
            const bool counts = token.real[std::size_t(slot)] && is_on_path(token, slot);
            gone += counts && is_evicted(token, slot) ? 1 : 0;
        }
        return id - gone;
    }
};

/// Keys are turned on where a shift should turn them back.
class ShiftTurnsOn final : public PlainRules {
    PlainShift shift() const override { return {.direction = 1}; }
};

/// Tokens that come after a shift have the ids that they would have had without it.
class ShiftForgetsLaterIds final : public PlainRules {
    PlainShift shift() const override { return {.later_ids = false}; }
};

/// Of the stored keys those of the first head are turned back.
class ShiftOfFirstHead final : public PlainRules {
    PlainShift shift() const override { return {.every_head = false}; }
};

/// A shift takes the place of the one before it.
class ShiftReplaces final : public PlainRules {
    PlainShift shift() const override { return {.adds = false}; }
};

}  // namespace

std::vector<MutantEntry> mutants_of_commands() {
    return {
        {{"truncate_one_too_many", "a truncated row loses one slot more", broken<TruncatesTooMuch>},
         "outputs_match_the_oracle",
         {1, 1, 1, 2},
         "a slot that should be left",
         default_cases},
        {{"truncate_takes_negative", "a length below zero is taken for none",
          broken<TruncateTakesNegative>},
         "wrong_command_is_refused",
         {1, 1, 0, 1},
         "a row; the property truncates it",
         default_cases},
        {{"reorder_ignored", "reordered rows are thrown away", broken<ReorderIgnored>},
         "reorder_is_replay",
         {2, 1, 1, 1},
         "two rows that differ; the property adds the rest",
         default_cases,
         0,
         {2, 1, 1, 3}},
        {{"reorder_sends", "rows are sent to their sources, not fetched from them",
          broken<ReorderSends>},
         "reorder_is_replay",
         {3, 1, 1, 1},
         "three rows that change places, of which one holds a slot; the property adds the rest",
         default_cases,
         0,
         {3, 1, 2, 3},
         {3, 1, 2, 1}},
        {{"reorder_in_place", "rows are copied in place, one after the other",
          broken<ReorderInPlace>},
         "outputs_match_the_oracle",
         {2, 1, 1, 2},
         "two rows that change places, of which one holds a slot",
         2 * default_cases,
         0,
         {2, 1, 2, 3}},
        {{"fork_shares_memory", "a fork writes into the memory of its row",
          broken<ForkSharesMemory>},
         "outputs_match_the_oracle",
         {1, 1, 3, 4},
         "memory that is taken already, a token for both, and a token of the first that sees it",
         2 * default_cases,
         0,
         {1, 1, 2, 4},
         {1, 1, 2, 5}},
        {{"fork_of_first_row", "the first row is forked whichever was asked for",
          broken<ForksTheFirstRow>},
         "outputs_match_the_oracle",
         {2, 1, 1, 2},
         "another row than the first, with a slot of its own",
         default_cases,
         0,
         {2, 1, 2, 3},
         {2, 1, 1, 3}},
        {{"finish_ignored", "a finished row takes more tokens", broken<FinishIgnored>},
         "finished_rows_stay",
         {1, 1, 1, 1},
         "a row",
         default_cases},
        {{"evicts_the_oldest", "the oldest slots are evicted, not the named ones",
          broken<EvictsTheOldest>},
         "outputs_match_the_oracle",
         {1, 1, 3, 3},
         "two slots of which the second is evicted, and a query that sees the first",
         default_cases},
        {{"evictions_stay_behind", "evicted slots come back with a fork or a reorder",
          broken<EvictionsStayBehind>},
         "reorder_is_replay",
         {1, 1, 1, 2},
         "a slot and its eviction; the property adds the rest",
         default_cases},
        {{"ids_count_what_is_left", "ids by visible count go down with an eviction",
          broken<IdsCountWhatIsLeft>},
         "outputs_match_the_oracle",
         {1, 1, 3, 3},
         "an evicted slot before one that is seen, under another id",
         2 * default_cases,
         0,
         {1, 1, 2, 3},
         {1, 1, 3, 4}},
        {{"shift_turns_on", "a shift turns keys on, not back", broken<ShiftTurnsOn>},
         "shifts_add_up",
         {1, 1, 1, 1},
         "a slot that makes room; the property adds the keys that are shifted",
         default_cases},
        {{"shift_forgets_later_ids", "later tokens have the ids that they had without a shift",
          broken<ShiftForgetsLaterIds>},
         "shifts_add_up",
         {1, 1, 1, 1},
         "a slot that makes room; the property adds the rest",
         default_cases},
        {{"shift_of_first_head", "a shift turns the keys of the first head only",
          broken<ShiftOfFirstHead>},
         "shifts_add_up",
         {1, 2, 1, 1},
         "the same in a second head",
         default_cases},
        {{"shift_replaces", "a shift takes the place of the one before it", broken<ShiftReplaces>},
         "shifts_add_up",
         {1, 1, 1, 1},
         "a slot that makes room; the property shifts twice",
         default_cases},
    };
}

}  // namespace kvcheck
