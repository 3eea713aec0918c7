// SPDX-License-Identifier: Apache-2.0
// The decisions of a cached layer that are easily got wrong, each as one function, so that a mutant
// can get exactly one of them wrong. What is here is right: clauses 3, 5, 10 and 16
// of docs/contract.md.
#pragma once

#include <vector>

#include "model/types/lifecycle.hpp"
#include "model/types/spec.hpp"
#include "model/types/view.hpp"

namespace kvcheck {

/// Where a token of a call stands: `index` in the call, the row's length before the call, which of
/// the row's slots, up to and including this call's, hold real tokens, and which slot each follows.
/// The length of the first row before the call is no business of other rows.
struct TokenPlace {
    const Spec& spec;
    Index index;
    Index past;
    const std::vector<bool>& real;
    const std::vector<bool>& evicted;  // of the row's slots before the call
    /// Of each slot its parent's, -1 for none; empty where each follows the slot before it.
    const std::vector<Index>& parents;
    Index past_of_first_row = 0;

    /// Tokens of the call.
    Index count() const { return Index(real.size()) - past; }
    Index slot() const { return past + index; }
    bool is_in_tree() const { return !parents.empty(); }
    Index parent() const { return is_in_tree() ? parents[std::size_t(slot())] : slot() - 1; }
    /// Another slot of the row, as if one call had brought them all.
    TokenPlace at(Index other) const { return {spec, other, 0, real, evicted, parents}; }
};

/// How many tokens are before this one on its path, of all or of the real ones, from slot `first`
/// on.
Index ancestors(const TokenPlace& token, bool only_real, Index first = 0);

/// Which elements of each head are turned together, how many, and which way.
struct PlainRotation {
    Rotary pairing = Rotary::none;
    Index width = 0;
    int direction = 1;  // of the sine
};

/// What is stored of a token.
enum class Stored { key, value };

/// Sizes of largest elements, from which int8 has its scales.
struct Int8Sizes {
    double own;         // of this head's key, or value
    double other;       // of its value, or key
    double first_head;  // of the same of head 0
    double before;      // of the same head of the token before; its own where there is none
};

/// What is saved of a row beside its keys and values.
struct SavedSlots {
    std::vector<bool> real;     // [length]
    std::vector<bool> evicted;  // [length]
    /// The slot that each follows, -1 for none; of what it is too short for, the one before.
    std::vector<Index> parents;
    bool finished = false;
    Index shift = 0;
};

/// How the ids of a row are lowered.
struct PlainShift {
    int direction = -1;      // in which stored keys are turned
    bool every_head = true;  // of theirs
    bool later_ids = true;   // are lowered, too
    bool adds = true;        // to what they were lowered before
};

/// How a prefix that was published is found (clause 11), and what becomes of it.
struct PrefixRules {
    bool compares_keys = true;      // and not only their hashes
    bool whole_labels = true;       // not their lower 32 bits alone
    bool flags = true;              // which tokens are padding is in a key
    bool revision = true;           // so is the revision
    bool copies = true;             // a prefix has memory of its own
    bool doubles_the_last = false;  // what was found whole has its last token run once more
    bool per_session = true;        // other sessions have prefixes of their own
    bool longest = true;            // and not the one published last
    bool end_with_reset = true;     // of all rows
};

/// What queries without keys see (clause 15) that they must not, or do not see.
struct AskRules {
    bool window = false;   // the last keys alone, where the spec has a window
    bool causal = false;   // key j only from query j on
    bool padding = false;  // padding, too
};

/// Where the entries of a row lie.
struct PlainMemory {
    enum class Appends { at_length, behind_truncated, behind_longest_row };
    Appends appends = Appends::at_length;
    bool heads_apart = true;          // when a row grows: each head's slots move to their new place
    bool padding_in_its_slot = true;  // and not in the last one of the row
};

/// What is left out when a row is asked whether it has room (clause 12).
struct AdmissionRules {
    bool length = true;     // what it holds already
    bool finished = true;   // that it takes no more
    bool every_row = true;  // and not the first alone
};

class PlainRules {
public:
    virtual ~PlainRules() = default;

    /// True where the query sees the key in slot `key`; every other key is skipped.
    virtual bool sees(const TokenPlace& query, Index key) const;

    /// True where the key in slot `key` is the query's or its ancestor's (clause 16).
    virtual bool is_on_path(const TokenPlace& query, Index key) const;

    /// True where the key in slot `key` was evicted before the call.
    virtual bool is_evicted(const TokenPlace& query, Index key) const;

    /// True where the window, if there is one, leaves the key visible.
    virtual bool in_window(const TokenPlace& query, Index key) const;

    /// The head of keys and values that a query head reads: H / Hkv of them share one.
    virtual Index kv_head(const Spec& spec, Index query_head) const;

    /// The default scale is 1 / sqrt of this.
    virtual Index scaled_width(const Spec& spec) const { return spec.key_width; }

    /// The queries, or x, as they are read.
    virtual InputView queries(const InputView& given) const { return given; }

    /// q.k, before it is scaled.
    virtual double product(double dot) const { return dot; }

    /// The cap of a score that was multiplied by `scale`.
    virtual std::optional<float> softcap(const TokenPlace& query, float scale) const;

    /// What is added to the capped score of a key that is seen: nothing.
    virtual float score_offset(const TokenPlace& query, Index key) const;

    /// What is added for the distance of the key: -slope (id of the query - id of the key).
    virtual double bias(const TokenPlace& query, Index key, float slope) const;

    /// The slope of a head: what is given.
    virtual float slope(const Spec&, Index, float given) const { return given; }

    /// What is taken off scores before the exponential: the largest.
    virtual double reference(double largest) const { return largest; }

    /// How many of so many slots that hold nothing weigh as if their score were zero: none.
    virtual Index unused_keys(Index) const { return 0; }

    /// What a query sees that sees nothing.
    virtual DeadRow dead_row(const Spec& spec) const { return spec.dead_row; }

    /// The score of the sink: what is given, without the scale.
    virtual std::optional<float> sink(float given) const;

    /// The log-sum-exp that is shown, where the largest score is `largest` and `sum` that of
    /// exp(score - largest).
    virtual double log_sum_exp(double largest, double sum) const;

    /// True where the score of a key that is not seen is in the log-sum-exp all the same.
    virtual bool sums_hidden(const TokenPlace& query, Index key) const;

    /// The row under which it is shown.
    virtual Index shown_row(Index row) const { return row; }

    /// Which entry of the slopes, and of the sinks, belongs to a query head.
    virtual Index entry_of(Index query_head) const;

    /// The row of the position table that the token uses.
    virtual Index position_id(const TokenPlace& token, PositionIds ids) const;

    /// What is done where a command was asked for; nothing at all without one.
    virtual std::optional<Lifecycle> carried_out(const Lifecycle& command) const;

    /// True where a fork has memory of its own.
    virtual bool copies_a_fork() const;

    /// True where a row that is forked or reordered takes along what was evicted of it.
    virtual bool copies_evictions() const;

    /// True where a row that is reordered takes its values along, and not only its keys.
    virtual bool reorders_values() const { return true; }

    /// Where the entries of rows lie.
    virtual PlainMemory memory() const { return {}; }

    /// How ids are lowered.
    virtual PlainShift shift() const { return {}; }

    /// What is wrong with queries that bring no key: nothing.
    virtual AskRules ask() const { return {}; }

    /// What is asked of rows that are to have room.
    virtual AdmissionRules admission() const { return {}; }

    /// How prefixes are reused.
    virtual PrefixRules prefixes() const { return {}; }

    /// What of a row is saved: all of it.
    virtual SavedSlots saved(const Spec& spec, SavedSlots row) const;

    /// True where a state is loaded only with the parameters under which it was saved.
    virtual bool knows_its_parameters() const { return true; }

    /// True where a state whose checksum is wrong is refused.
    virtual bool checks_the_sum() const { return true; }

    /// What is turned of queries and keys.
    virtual PlainRotation rotation(const Spec& spec) const;

    /// The row of the rotary table by which a key is turned before it is stored.
    virtual Index key_id(const TokenPlace& token, PositionIds ids) const;

    /// What is kept of a number of a key or value in a format (clause 13).
    virtual double stored(Storage storage, Stored what, double number) const;

    /// The size that int8 takes for 127: that of the largest element.
    virtual double int8_size(Stored what, const Int8Sizes& sizes) const;

    /// The integer that stands for x / scale.
    virtual double int8_code(Stored what, double quotient) const;

    /// True where the integers of int8 are taken for the value of a slot, without their scale.
    virtual bool reads_integers(const TokenPlace&, Index) const { return false; }

    /// Values are narrowed before the queries of their own call see them.
    virtual bool stores_before_it_attends() const { return true; }

    /// In which format weights, and weighted values, are added.
    virtual Storage sums(const Spec& spec) const;
};

}  // namespace kvcheck
