// SPDX-License-Identifier: Apache-2.0
// What a row holds, as a persistent list: every appended token is a node that knows its
// predecessor, and a history is the last node. Appending makes a node and shares the rest, so that
// rows which part later, and outputs that were computed at different times, each keep the past they
// saw. Two histories of one object may share any prefix; nothing here is ever changed. What else
// belongs to a row goes with its history: which slots are evicted, whether it is finished, how far
// its ids are lowered. A token that names another parent than the slot before it makes the row a
// tree (clause 16); what a query sees, and every id, counts along its path, which is itself and its
// ancestors.
#pragma once

#include <memory>
#include <vector>

#include "model/evicted.hpp"
#include "model/token.hpp"

namespace kvcheck {

/// A token in its place. Lives as long as any history that holds it.
struct Node {
    Node(std::shared_ptr<const Node> earlier, Token appended,
         std::shared_ptr<const EvictedSlots> hidden = nullptr, Index lowered = 0);
    ~Node();
    Node(const Node&) = delete;
    Node& operator=(const Node&) = delete;

    std::shared_ptr<const Node> before;  // null: the first of its row
    Token token;
    Index slot;         // of the token: how many were appended before it (clause 3)
    Index depth;        // how many ancestors it has: the slot, unless its row is a tree
    Index real_before;  // how many of those are real
    /// The depths of its path that were evicted when it was appended: its query does not see them
    /// (clause 10). Null: none.
    std::shared_ptr<const EvictedSlots> evicted;
    Index shifted;  // by how much the ids of its row were lowered when it was appended

    /// The token that it follows on its path; null for none.
    const std::shared_ptr<const Node>& parent() const;
    bool hides(Index key_depth) const { return evicted && evicted->has(key_depth); }
};

/// A token and its ancestors, by their depths: the last is the token.
std::vector<const Node*> path_of(const Node& token);

/// The position id that a token came with (clauses 5 and 16): how many tokens are before it on its
/// path, or how many real ones, less what its row had been shifted by.
Index position_id(PositionIds ids, const Node& token);

/// The same without any shift. Later shifts lower all ids of a row alike, so that the distance of
/// two tokens is always that of these.
Index unshifted_id(PositionIds ids, const Node& token);

class History {
public:
    bool empty() const { return last_ == nullptr; }
    Index length() const { return last_ ? last_->slot + 1 : 0; }
    /// Real tokens of the path that ends with the last slot.
    Index real_count() const;
    /// Real tokens that are not evicted.
    Index visible_count() const;
    bool is_evicted(Index slot) const { return evicted_ && evicted_->has(slot); }
    Index evicted_count() const { return evicted_ ? evicted_->count() : 0; }
    /// Grows no more (clause 10, finish).
    bool is_finished() const { return finished_; }
    /// Of the token that comes next; below zero after a truncate of a row that was shifted further.
    Index next_id(PositionIds ids) const;
    /// By how much its ids are lowered.
    Index shift() const { return shift_; }
    /// The lowest id of a real token that is not evicted, or the next one.
    Index lowest_id(PositionIds ids) const;

    /// The tokens in slot order; valid while a history that holds them lives.
    std::vector<const Node*> tokens() const;
    const std::shared_ptr<const Node>& last() const { return last_; }

    /// The history with one more token. This one stays as it is.
    /// Needs: not finished; a parent that is there, or none.
    History with(const Token& token) const;
    /// What a query sees that brings no key, as a token of padding behind the last slot. Also of a
    /// finished row.
    History with_query(const std::vector<float>& input) const;
    /// The first `length` slots, with what is evicted of them. Needs: no more than there are.
    History up_to(Index length) const;
    /// With the slots begin ... end - 1 hidden from every later query. Needs: slots of the row.
    History without(Index begin, Index end) const;
    History finished() const;
    /// With all ids lower. Needs: none falls below zero.
    History shifted(Index by) const;
    /// Its tokens alone, with nothing evicted, shifted or finished.
    History as_prefix() const;
    /// Some token follows another one than the slot before it.
    bool has_branches() const { return last_ && last_->depth != last_->slot; }
    /// True where every token of `earlier` is still here, the same node.
    bool continues(const History& earlier) const;

private:
    std::shared_ptr<const Node> last_;
    std::shared_ptr<const EvictedSlots> evicted_;
    bool finished_ = false;
    Index shift_ = 0;
};

}  // namespace kvcheck
