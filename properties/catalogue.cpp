// SPDX-License-Identifier: Apache-2.0
// The table (declared in catalogue.hpp).
#include "properties/catalogue.hpp"

#include <algorithm>
#include <array>

#include "model/types/assert.hpp"

namespace kvcheck {

const std::vector<Property>& properties() {
    const FeatureSet anything;
    const FeatureSet padding = FeatureSet::paddings();
    const FeatureSet dead = padding | FeatureSet{Feature::padded_query_computed};
    const FeatureSet rows = {Feature::batch};
    const FeatureSet unequal = {Feature::batch, Feature::unequal_counts};
    const FeatureSet life = {Feature::reset_row, Feature::truncate, Feature::truncate_row,
                             Feature::reorder,   Feature::fork,     Feature::finish,
                             Feature::evict,     Feature::shift};
    static const std::vector<Property> table = {
        {"outputs_match_the_oracle",
         "every output lies within its bound of the exact answer",
         "1, 2, 3, 5",
         {},
         anything,
         outputs_match_the_oracle},
        {"chunks_do_not_matter",
         "every split of the same tokens gives outputs within the bounds",
         "8",
         {},
         anything,
         chunks_do_not_matter},
        {"future_is_invisible",
         "later tokens change no bit of an earlier output",
         "3",
         {},
         anything,
         future_is_invisible},
        {"padding_is_invisible",
         "padding has weight exactly zero, and its contents change no bit of a real token's output",
         "4",
         {},
         padding,
         padding_is_invisible},
        {"window_forgets",
         "what a window has left behind changes no bit of an output, whatever it holds",
         "3, 4",
         {Feature::window},
         {Feature::window},
         window_forgets},
        {"branches_do_not_mix",
         "what is not on a token's path in a tree has no influence on it, whatever it holds",
         "4, 16",
         {Feature::tree},
         {Feature::tree},
         branches_do_not_mix},
        {"unused_memory_is_invisible",
         "memory beyond the counts and beyond the length has no influence, whatever it holds",
         "3, 4",
         {},
         unequal,
         unused_memory_is_invisible},
        {"rows_do_not_mix",
         "a row's outputs do not depend on its batch",
         "9",
         {},
         rows,
         rows_do_not_mix},
        {"cache_grows_exactly",
         "an append raises the numbers by its counts, and earlier entries keep their bits",
         "7",
         {},
         anything,
         cache_grows_exactly},
        {"wrong_offset_is_refused",
         "an offset that is not a row's next slot is refused, and the state stays as it was",
         "6, 12",
         {Feature::query_offset},
         anything,
         wrong_offset_is_refused},
        {"wrong_call_is_refused",
         "a wrong dimension, count or type is refused, and the state stays as it was",
         "7, 12, 16",
         {Feature::validates},
         anything,
         wrong_call_is_refused},
        {"capacity_is_as_declared",
         "beyond its capacity a subject that goes on is right, with all slots or the last ones",
         "7",
         {},
         anything,
         capacity_is_as_declared,
         {Feature::capacity_unbounded, Feature::capacity_evicted}},
        {"weights_match_the_oracle",
         "every weight lies within its bound, and those of invisible keys are zero",
         "4",
         {Feature::weights},
         anything,
         weights_match_the_oracle},
        {"rows_normalise",
         "the weights of a query sum to one within the bound",
         "4",
         {},
         anything,
         rows_normalise},
        {"stored_kv_matches_the_oracle",
         "each stored key and value lies within its bound; at attention level it is the input, or "
         "its "
         "rounding where storage is narrow",
         "13",
         {Feature::kv_export},
         anything,
         stored_kv_matches_the_oracle},
        {"dead_rows_are_as_declared",
         "a query that sees no key yields the declared value",
         "4",
         {Feature::padded_query_computed},
         dead,
         dead_rows_are_as_declared},
        {"reset_is_fresh",
         "after a reset a session behaves like a new one",
         "10",
         {},
         anything,
         reset_is_fresh},
        {"truncate_undoes_append",
         "tokens that were taken back leave nothing behind",
         "10",
         {},
         anything,
         truncate_undoes_append,
         {Feature::truncate, Feature::truncate_row}},
        {"reorder_is_replay",
         "after a reorder each row goes on as its source would have",
         "10",
         {Feature::reorder},
         rows,
         reorder_is_replay},
        {"forks_do_not_mix",
         "a fork goes on as its row would have, and neither sees what the other gets",
         "10",
         {Feature::fork, Feature::batch},
         anything,
         forks_do_not_mix},
        {"finished_rows_stay",
         "a finished row takes no more tokens while the others go on",
         "10, 12",
         {Feature::finish},
         rows,
         finished_rows_stay},
        {"evicted_is_hidden",
         "no later query sees an evicted slot, whatever it holds; all else stays",
         "10",
         {Feature::evict},
         anything,
         evicted_is_hidden},
        {"shifts_add_up",
         "a shift changes no distance between tokens, lowers the ids to come, and adds to others",
         "10",
         {Feature::shift},
         {Feature::shift},
         shifts_add_up},
        {"saved_is_continued",
         "what is loaded goes on as what was saved would have, and the saved object with it",
         "10",
         {Feature::save},
         anything,
         saved_is_continued},
        {"bad_save_is_refused",
         "a damaged state, and one of another spec or parameters, is refused without a trace",
         "10, 12",
         {Feature::save, Feature::validates},
         anything,
         bad_save_is_refused},
        {"wrong_command_is_refused",
         "a command for a row, a length or slots that are not there is refused without a trace",
         "10, 12",
         {Feature::validates},
         anything,
         wrong_command_is_refused,
         life},
        {"same_call_same_bits",
         "repeating a call repeats its bits",
         "0",
         {Feature::repeatable},
         anything,
         same_call_same_bits},
        {"buffers_are_respected",
         "inputs are untouched, outputs fully written, gaps and guard zones intact, in any strides",
         "3, 4",
         {},
         anything,
         buffers_are_respected},
    };
    return table;
}

const Property& large_cases_property() {
    static const Property property = {
        "large_cases",
        "every output of a long prefill, and of steps after a long prefix, lies within its bound",
        "1 to 3",
        {},
        {},
        large_cases};
    return property;
}

const Property* property_named(std::string_view name) {
    if (name == large_cases_property().name) return &large_cases_property();
    for (const Property& property : properties()) {
        if (property.name == name) return &property;
    }
    return nullptr;
}

std::size_t telling_rank(std::string_view part) {
    static constexpr std::array<std::string_view, 30> most_telling_first = {
        // Where a call does not repeat itself, no other comparison of bits says anything.
        "same_call_same_bits",
        // One rule each, which no other fault breaks.
        "wrong_offset_is_refused",
        "wrong_call_is_refused",
        "capacity_is_as_declared",
        "wrong_command_is_refused",
        "bad_save_is_refused",
        "cache_grows_exactly",
        "stored_kv_matches_the_oracle",
        "buffers_are_respected",
        "dead_rows_are_as_declared",
        // Bits of two runs, whatever is wrong in both.
        "reset_is_fresh",
        "truncate_undoes_append",
        "reorder_is_replay",
        "forks_do_not_mix",
        "evicted_is_hidden",
        "shifts_add_up",
        "finished_rows_stay",  // also of rows that are moved
        "saved_is_continued",
        "unused_memory_is_invisible",
        "rows_do_not_mix",
        "future_is_invisible",
        "padding_is_invisible",
        "window_forgets",
        "branches_do_not_mix",
        // Numbers.
        "chunks_do_not_matter",
        "rows_normalise",
        "weights_match_the_oracle",
        "outputs_match_the_oracle",
        // The same: in many cases at once, and in cases that nobody reads.
        "small_worlds",
        "large_cases",
    };
    const auto* const place = std::find(most_telling_first.begin(), most_telling_first.end(), part);
    KVCHECK_ASSERT(place != most_telling_first.end());
    return std::size_t(place - most_telling_first.begin());
}

}  // namespace kvcheck
