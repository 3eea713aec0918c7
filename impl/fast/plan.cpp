// SPDX-License-Identifier: Apache-2.0
// A call cut into tasks (declared in plan.hpp).
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

/// The last segment whose numbers begin at or before `number`.
std::vector<Segment>::const_iterator segment_of(const std::vector<Segment>& segments, Index number,
                                                Index Segment::*first) {
    return std::upper_bound(
               segments.begin(), segments.end(), number,
               [first](Index n, const Segment& segment) { return n < segment.*first; }) -
           1;
}

}  // namespace

Plan::Plan(const Spec& spec, Index split_slots)
    : heads_(spec.kv_heads),
      group_(spec.query_heads / spec.kv_heads),
      chunk_tokens_(std::max<Index>(1, chunk_rows / group_)),
      piece_blocks_(split_slots / block_slots),
      query_rows_max_(std::min(chunk_tokens_, spec.capacity) * group_) {
    const Index pieces = parts_of(parts_of(spec.capacity, block_slots), piece_blocks_);
    row_states_max_ = pieces > 1 ? heads_ * pieces * split_tokens_max * group_ : 0;
    make_room(spec.rows);
}

void Plan::make_room(Index rows) {
    segments_.reserve(std::size_t(rows));
    states_max_ = std::max(states_max_, states_max(rows));
}

void Plan::clear() {
    segments_.clear();
    tokens_ = stores_ = tasks_ = states_ = work_ = 0;
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
                         .first_store = stores_,
                         .first_task = tasks_,
                         .first_state = states_});
    tokens_ += tokens;
    stores_ += chunks;
    tasks_ += chunks * pieces * heads_;
    if (pieces > 1) states_ += heads_ * pieces * tokens * group_;
    work_ += heads_ * group_ * tokens * (past + tokens);
}

Task Plan::chunk_of(const Segment& segment, Index chunk) const {
    const Index first = chunk * chunk_tokens_;
    return {.segment = &segment,
            .head = 0,
            .first = first,
            .tokens = std::min(chunk_tokens_, segment.tokens - first),
            .piece = 0};
}

Task Plan::store(Index number) const {
    const Segment& segment = *segment_of(segments_, number, &Segment::first_store);
    return chunk_of(segment, number - segment.first_store);
}

Task Plan::task(Index number) const {
    const Segment& segment = *segment_of(segments_, number, &Segment::first_task);
    number -= segment.first_task;
    if (segment.chunks == 1 && segment.pieces == 1) {
        Task task = chunk_of(segment, 0);
        task.head = number;
        return task;
    }
    const Index chunk_and_head = number / segment.pieces;
    Task task = chunk_of(segment, segment.chunks - 1 - chunk_and_head % segment.chunks);
    task.head = chunk_and_head / segment.chunks;
    task.piece = number % segment.pieces;
    return task;
}

Index Plan::last_block(const Task& task) const {
    const Index blocks = parts_of(task.segment->past + task.first + task.tokens, block_slots);
    if (task.segment->pieces == 1) return blocks;
    return std::min(blocks, (task.piece + 1) * piece_blocks_);
}

}  // namespace kvcheck::fast
