// SPDX-License-Identifier: Apache-2.0
// The cache state machine of the contract (clauses 3, 5, 6, 7, 10), without any numbers of the
// mathematics: the history of every row, and which command is admissible. What each command does
// stands in commands/.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "model/command.hpp"
#include "model/history.hpp"
#include "model/prefixes.hpp"
#include "model/types/row_numbers.hpp"

namespace kvcheck {

/// A batch of rows and the commands that change it. A value: a copy is a snapshot.
class CacheState {
public:
    /// `positions` is the number of rows of the tables that are read by ids; not read where the
    /// spec has none.
    CacheState(const Spec& spec, Index positions);

    Index row_count() const { return Index(rows_.size()); }
    const History& row(Index index) const { return rows_[std::size_t(index)]; }
    History& row(Index index) { return rows_[std::size_t(index)]; }
    /// Other rows from now on.
    void set_rows(std::vector<History> rows) { rows_ = std::move(rows); }
    /// Empty where there is such a row, else words about the command named `command`.
    std::string objection_to_row(Index row, std::string_view command) const;

    /// What rows have published, whether or not these still hold it.
    const Prefixes& prefixes() const { return prefixes_; }
    Prefixes& prefixes() { return prefixes_; }

    Index capacity() const { return capacity_; }
    PositionIds position_ids() const { return position_ids_; }
    /// Ids at and beyond it are refused (clause 5).
    Index position_limit() const { return position_limit_; }
    /// What has so many rows, in words.
    std::string_view tables() const { return tables_; }

    /// What clause 7 says of a row at this moment.
    RowNumbers numbers(Index row) const;

    /// Empty where the contract admits the command, else the clause it breaks, in words.
    std::string objection(const Command& command) const;
    /// Needs: a command without objection.
    void apply(const Command& command);

private:
    Index capacity_;
    PositionIds position_ids_;
    Index position_limit_;
    std::string_view tables_;
    std::vector<History> rows_;
    Prefixes prefixes_;
};

}  // namespace kvcheck
