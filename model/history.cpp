// SPDX-License-Identifier: Apache-2.0
// Persistent lists of tokens (declared in history.hpp).
#include "model/history.hpp"

#include <algorithm>
#include <utility>

#include "model/types/assert.hpp"

namespace kvcheck {
namespace {

/// Which depths of a token's path are among the hidden slots of its row.
std::shared_ptr<const EvictedSlots> along_path(const Node& token, const EvictedSlots* hidden) {
    EvictedSlots depths;
    if (hidden == nullptr) return nullptr;
    for (const Node* node = &token; node != nullptr; node = node->parent().get()) {
        if (hidden->has(node->slot)) depths = depths.with(node->depth, node->depth + 1);
    }
    return depths.empty() ? nullptr : std::make_shared<const EvictedSlots>(std::move(depths));
}

}  // namespace

Node::Node(std::shared_ptr<const Node> earlier, Token appended,
           std::shared_ptr<const EvictedSlots> hidden, Index lowered)
    : before(std::move(earlier)),
      token(std::move(appended)),
      slot(before ? before->slot + 1 : 0),
      depth(parent() ? parent()->depth + 1 : 0),
      real_before(parent() ? parent()->real_before + (parent()->token.real ? 1 : 0) : 0),
      evicted(depth == slot ? std::move(hidden) : along_path(*this, hidden.get())),
      shifted(lowered) {}

Node::~Node() {
    // A long row would otherwise be destroyed by as deep a recursion.
    std::shared_ptr<const Node> next = std::move(before);
    while (next && next.use_count() == 1) {
        next = std::exchange(const_cast<Node&>(*next).before, nullptr);
    }
}

const std::shared_ptr<const Node>& Node::parent() const {
    static const std::shared_ptr<const Node> none;
    const std::shared_ptr<const Node>* node = &before;
    for (Index steps = 1; steps < token.back && *node; ++steps) node = &(*node)->before;
    return *node;
}

std::vector<const Node*> path_of(const Node& token) {
    std::vector<const Node*> path;
    path.resize(std::size_t(token.depth + 1));
    for (const Node* node = &token; node != nullptr; node = node->parent().get()) {
        path[std::size_t(node->depth)] = node;
    }
    return path;
}

Index position_id(PositionIds ids, const Node& token) {
    return unshifted_id(ids, token) - token.shifted;
}

Index unshifted_id(PositionIds ids, const Node& token) {
    return ids == PositionIds::slot ? token.depth : token.real_before;
}

Index History::real_count() const {
    return last_ ? last_->real_before + (last_->token.real ? 1 : 0) : 0;
}

Index History::visible_count() const {
    Index count = 0;
    for (const Node* node = last_.get(); node != nullptr; node = node->before.get()) {
        count += node->token.real && !is_evicted(node->slot) ? 1 : 0;
    }
    return count;
}

Index History::next_id(PositionIds ids) const {
    if (ids == PositionIds::visible_count) return real_count() - shift_;
    return (last_ ? last_->depth + 1 : 0) - shift_;
}

Index History::lowest_id(PositionIds ids) const {
    Index lowest = next_id(ids);
    for (const Node* node = last_.get(); node != nullptr; node = node->before.get()) {
        if (!node->token.real || is_evicted(node->slot)) continue;
        lowest = std::min(lowest, unshifted_id(ids, *node) - shift_);
    }
    return lowest;
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
    KVCHECK_ASSERT(!finished_ && token.back >= 1 && token.back <= length() + 1);
    History longer = *this;
    longer.last_ = std::make_shared<const Node>(last_, token, evicted_, shift_);
    return longer;
}

History History::with_query(const std::vector<float>& input) const {
    History asked = *this;
    asked.finished_ = false;
    return asked.with({false, input, 1});
}

History History::up_to(Index length) const {
    KVCHECK_ASSERT(length >= 0 && length <= this->length());
    History shorter = *this;
    while (shorter.length() > length) {
        // In two steps: the node that is left behind may own the one before it.
        std::shared_ptr<const Node> before = shorter.last_->before;
        shorter.last_ = std::move(before);
    }
    if (!evicted_) return shorter;
    const EvictedSlots left = evicted_->below(length);
    shorter.evicted_ = left.empty() ? nullptr : std::make_shared<const EvictedSlots>(left);
    return shorter;
}

History History::without(Index begin, Index end) const {
    KVCHECK_ASSERT(begin >= 0 && begin < end && end <= length());
    History less = *this;
    less.evicted_ = std::make_shared<const EvictedSlots>(
        (evicted_ ? *evicted_ : EvictedSlots()).with(begin, end));
    return less;
}

History History::finished() const {
    History ended = *this;
    ended.finished_ = true;
    return ended;
}

History History::shifted(Index by) const {
    KVCHECK_ASSERT(by >= 0);
    History lower = *this;
    lower.shift_ += by;
    return lower;
}

History History::as_prefix() const {
    History prefix;
    prefix.last_ = last_;
    return prefix;
}

bool History::continues(const History& earlier) const {
    if (earlier.empty()) return true;
    const Node* node = last_.get();
    while (node != nullptr && node->slot > earlier.last_->slot) node = node->before.get();
    return node == earlier.last_.get();
}

}  // namespace kvcheck
