// SPDX-License-Identifier: Apache-2.0
// The cache state machine of the contract (clauses 3, 5, 6, 7, 10), without any numbers of the
// mathematics: which token sits in which slot, what it may see, and which append is admissible.
#pragma once

#include <string>
#include <vector>

#include "model/command.hpp"

namespace kvcheck {

/// One row of the cache as the contract sees it: for each slot, whether the token is real.
class RowState {
public:
    explicit RowState(PositionIds ids) : ids_(ids) {}

    Index length() const { return Index(real_.size()); }
    Index visible_count() const;
    bool is_real(Index slot) const { return real_[std::size_t(slot)]; }

    /// True where the query at slot `query` sees the key at slot `key` (clause 3).
    bool sees(Index query, Index key) const { return key <= query && is_real(key); }

    /// The position id of a slot, which may be the next one (clause 5): the slot itself, or the
    /// number of real tokens before it.
    Index position_id(Index slot) const;

    void append(bool real) { real_.push_back(real); }
    void reset() { real_.clear(); }

private:
    PositionIds ids_;
    std::vector<bool> real_;
};

/// A batch of rows and the commands that change it.
class CacheState {
public:
    CacheState(const Spec& spec, Index position_count);

    const RowState& row(Index index) const { return rows_[std::size_t(index)]; }

    /// Empty where the contract admits the append, else the clause it breaks, in words.
    std::string objection(const Append& append) const;

    /// Needs: an append without objection.
    void apply(const Append& append);
    void apply(const Reset&);

private:
    Index capacity_;
    Index position_count_;  // ids at and beyond it are refused; 0 where there is no table
    bool has_table_;
    std::vector<RowState> rows_;
};

}  // namespace kvcheck
