// SPDX-License-Identifier: Apache-2.0
// How a call is cut into tasks. A row's tokens of one wave are a segment. A segment's attention is
// cut by key/value heads, by chunks of its tokens, and, where there are few tokens on a long row,
// by pieces of its slots:
//
//      slots   0 ......... 1023 | 1024 ...... 2047 | 2048 ..            a token's query heads go
//      head 0       task 0      |      task 1      |  task 2            through each piece apart;
//      head 1       task 3      |      task 4      |  task 5            then the pieces are merged
//
// Where the cuts are depends on the row and its call alone, not on the other rows and not on the
// number of threads; so a row's bits depend on neither.
#pragma once

#include <vector>

#include "model/types/spec.hpp"

namespace kvcheck::fast {

/// Tokens of one row that are worked on together.
struct Segment {
    Index row;
    Index position;  // of the first token in the arrays of the wave
    Index first;     // token of the call
    Index tokens;
    Index past;  // slot of the first token
    Index chunks;
    Index pieces;       // 1 where the slots are not cut
    Index first_store;  // numbers of stores before this segment's
    Index first_task;   // numbers of tasks before this segment's
    Index first_state;  // softmax states before this segment's
};

/// One task: tokens `first` ... of a segment, one head, one piece.
struct Task {
    const Segment* segment;
    Index head;
    Index first;
    Index tokens;
    Index piece;
};

constexpr Index unsplit = extent_max;

class Plan {
public:
    /// `split_slots`, a multiple of the block, is the length of a piece.
    Plan(const Spec& spec, Index split_slots);

    /// Query rows of a task at most, and softmax states of a wave at most, of one with so many
    /// rows.
    Index query_rows_max() const { return query_rows_max_; }
    Index states_max() const { return states_max_; }
    Index states_max(Index rows) const { return rows * row_states_max_; }
    /// From now on waves may have tokens of so many rows. Throws std::bad_alloc; nothing is changed
    /// then.
    void make_room(Index rows);
    /// Softmax states of this wave.
    Index states() const { return states_; }

    void clear();

    /// `call_tokens` is how many tokens the call brings to the row; `unsplit`: its slots are not
    /// cut.
    void add(Index row, Index position, Index first, Index tokens, Index past, Index call_tokens);

    const std::vector<Segment>& segments() const { return segments_; }

    /// What is stored together: the tokens of a chunk, for all heads.
    Index stores() const { return stores_; }
    Task store(Index number) const;

    Index tasks() const { return tasks_; }
    /// Head after head, so that a head's blocks stay near; the longest chunks come first.
    Task task(Index number) const;

    /// Blocks of the piece: the first, and the one after the last.
    Index first_block(const Task& task) const { return task.piece * piece_blocks_; }
    Index last_block(const Task& task) const;

    /// Tokens of the wave.
    Index tokens() const { return tokens_; }

    /// Multiply-adds of all tasks for one element of a key and of a value.
    Index work() const { return work_; }

private:
    Task chunk_of(const Segment& segment, Index chunk) const;

    Index heads_;
    Index group_;
    Index chunk_tokens_;
    Index piece_blocks_;
    Index query_rows_max_;
    Index row_states_max_;
    Index states_max_ = 0;
    std::vector<Segment> segments_;
    Index tokens_ = 0;
    Index stores_ = 0;
    Index tasks_ = 0;
    Index states_ = 0;
    Index work_ = 0;
};

}  // namespace kvcheck::fast
