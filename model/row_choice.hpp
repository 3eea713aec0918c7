// SPDX-License-Identifier: Apache-2.0
// A case for fewer rows, or for the same rows in another order. Rows come, go and change places in
// the course of a program, so a choice is followed through it.
#pragma once

#include "model/case.hpp"

namespace kvcheck {

/// Some rows of a batch, as a batch of their own.
class RowChoice {
public:
    explicit RowChoice(std::vector<Index> rows) : rows_(std::move(rows)) {}

    /// Their numbers in the whole batch, in their order here.
    const std::vector<Index>& rows() const { return rows_; }

    /// Follows the command, given to `row_count` rows; returns what these rows get of it, nothing
    /// where that is nothing. Rows that continue a chosen one are chosen from then on.
    std::optional<Command> follow(const Command& command, Index row_count);
    /// Adds to `chosen` what these rows get of the commands from number `begin` on, the first of
    /// them given to `row_count` rows, until none of the rows is left.
    void follow_from(std::size_t begin, const Case& test_case, Index row_count, Case& chosen);

private:
    std::vector<Index> rows_;
};

/// Which rows these are, in the whole batch, when each command comes; [commands].
std::vector<std::vector<Index>> rows_through(const Case& test_case, const std::vector<Index>& rows);

/// False where one of the rows may reuse what another one published (clause 11).
bool stands_alone(const Case& test_case, const std::vector<Index>& rows);

/// The case with only the given rows, in this order; commands about other rows are gone, and so is
/// what follows once none of the rows is left.
Case with_rows(const Case& test_case, const std::vector<Index>& rows);

}  // namespace kvcheck
