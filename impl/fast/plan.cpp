// SPDX-License-Identifier: Apache-2.0
#include "impl/fast/plan.hpp"

#include <algorithm>

#include "impl/fast/kernels.hpp"

namespace kvcheck::fast {
namespace {

/// Query rows of a chunk: enough of them for every read of a block, few enough to stay near.
constexpr Index chunk_rows = 96;

/// A row is cut into pieces where its call brings no more tokens than this.
constexpr Index split_tokens_max = 4;

Index parts_of(Index whole, Index part) { return (whole + part - 1) / part; }

}  // namespace

Plan::Plan(const Spec& spec, Index split_slots)
    : heads_(spec.kv_heads),
      group_(spec.query_heads / spec.kv_heads),
      chunk_tokens_(std::max<Index>(1, chunk_rows / group_)),
      piece_blocks_(split_slots / block_slots),
      rows_max_(std::min(chunk_tokens_, spec.capacity) * group_) {
    const Index pieces = parts_of(parts_of(spec.capacity, block_slots), piece_blocks_);
    states_max_ = pieces > 1 ? spec.rows * heads_ * pieces * split_tokens_max * group_ : 0;
    segments_.reserve(std::size_t(spec.rows));
}

void Plan::clear() {
    segments_.clear();
    tasks_ = states_ = work_ = 0;
}

void Plan::add(Index row, Index position, Index first, Index tokens, Index past,
               Index call_tokens) {
    const Index blocks = parts_of(past + tokens, block_slots);
    const Index chunks = parts_of(tokens, chunk_tokens_);
    const Index pieces = call_tokens > split_tokens_max ? 1 : parts_of(blocks, piece_blocks_);
    segments_.push_back({.row = row,
                         .position = position,
                         .first = first,
                         .tokens = tokens,
                         .past = past,
                         .chunks = chunks,
                         .pieces = pieces,
                         .first_task = tasks_,
                         .first_state = states_});
    tasks_ += chunks * pieces * heads_;
    if (pieces > 1) states_ += heads_ * pieces * tokens * group_;
    work_ += heads_ * group_ * tokens * (past + tokens);
}

Task Plan::task(Index number) const {
    const auto after =
        std::upper_bound(segments_.begin(), segments_.end(), number,
                         [](Index n, const Segment& segment) { return n < segment.first_task; });
    const Segment& segment = *(after - 1);
    number -= segment.first_task;
    const Index piece = number % segment.pieces;
    number /= segment.pieces;
    const Index chunk = segment.chunks - 1 - number % segment.chunks;
    const Index first = chunk * chunk_tokens_;
    return {.segment = &segment,
            .head = number / segment.chunks,
            .first = first,
            .tokens = std::min(chunk_tokens_, segment.tokens - first),
            .piece = piece};
}

Index Plan::last_block(const Task& task) const {
    const Index blocks = parts_of(task.segment->past + task.first + task.tokens, block_slots);
    if (task.segment->pieces == 1) return blocks;
    return std::min(blocks, (task.piece + 1) * piece_blocks_);
}

}  // namespace kvcheck::fast
