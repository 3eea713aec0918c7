// SPDX-License-Identifier: Apache-2.0
// Persistent lists of tokens (declared in history.hpp).
#include "model/history.hpp"

#include <utility>

namespace kvcheck {

Node::Node(std::shared_ptr<const Node> earlier, Token appended)
    : before(std::move(earlier)),
      token(std::move(appended)),
      slot(before ? before->slot + 1 : 0),
      real_before(before ? before->real_before + (before->token.real ? 1 : 0) : 0) {}

Node::~Node() {
    // A long row would otherwise be destroyed by as deep a recursion.
    std::shared_ptr<const Node> next = std::move(before);
    while (next && next.use_count() == 1) {
        next = std::exchange(const_cast<Node&>(*next).before, nullptr);
    }
}

Index position_id(PositionIds ids, const Node& token) {
    return ids == PositionIds::slot ? token.slot : token.real_before;
}

Index History::real_count() const {
    return last_ ? last_->real_before + (last_->token.real ? 1 : 0) : 0;
}

Index History::next_id(PositionIds ids) const {
    return ids == PositionIds::slot ? length() : real_count();
}

std::vector<const Node*> History::tokens() const {
    std::vector<const Node*> tokens;
    tokens.resize(std::size_t(length()));
    for (const Node* node = last_.get(); node != nullptr; node = node->before.get()) {
        tokens[std::size_t(node->slot)] = node;
    }
    return tokens;
}

History History::with(const Token& token) const {
    History longer;
    longer.last_ = std::make_shared<const Node>(last_, token);
    return longer;
}

bool History::continues(const History& earlier) const {
    if (earlier.empty()) return true;
    const Node* node = last_.get();
    while (node != nullptr && node->slot > earlier.last_->slot) node = node->before.get();
    return node == earlier.last_.get();
}

}  // namespace kvcheck
