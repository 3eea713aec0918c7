// SPDX-License-Identifier: Apache-2.0
// What a row holds, as a persistent list: every appended token is a node that knows its
// predecessor, and a history is the last node. Appending makes a node and shares the rest, so that
// rows which part later, and outputs that were computed at different times, each keep the past they
// saw. Two histories of one object may share any prefix; nothing here is ever changed.
#pragma once

#include <memory>
#include <vector>

#include "model/token.hpp"

namespace kvcheck {

/// A token in its place. Lives as long as any history that holds it.
struct Node {
    Node(std::shared_ptr<const Node> earlier, Token appended);
    ~Node();
    Node(const Node&) = delete;
    Node& operator=(const Node&) = delete;

    std::shared_ptr<const Node> before;  // null: the first of its row
    Token token;
    Index slot;         // of the token: how many were appended before it (clause 3)
    Index real_before;  // how many of those are real
};

/// The position id of a token (clause 5): its slot, or the number of real tokens before it.
Index position_id(PositionIds ids, const Node& token);

class History {
public:
    bool empty() const { return last_ == nullptr; }
    Index length() const { return last_ ? last_->slot + 1 : 0; }
    Index real_count() const;
    /// Of the token that comes next.
    Index next_id(PositionIds ids) const;

    /// The tokens in slot order; valid while a history that holds them lives.
    std::vector<const Node*> tokens() const;
    const std::shared_ptr<const Node>& last() const { return last_; }

    /// The history with one more token. This one stays as it is.
    History with(const Token& token) const;
    /// True where every token of `earlier` is still here, the same node.
    bool continues(const History& earlier) const;

private:
    std::shared_ptr<const Node> last_;
};

}  // namespace kvcheck
