// SPDX-License-Identifier: Apache-2.0
// The numbers of clause 7, per row.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "model/types/fields.hpp"
#include "model/types/spec.hpp"

namespace kvcheck {

/// A subject leaves out those it does not have.
struct RowNumbers {
    std::optional<Index> length;          // slots appended and not taken back
    std::optional<Index> visible_count;   // real tokens that are not evicted
    std::optional<Index> retained_count;  // slots whose K/V is held
    std::optional<Index> next_slot;
    std::optional<Index> next_id;    // position id the next token would get
    std::optional<Index> write_end;  // first physical slot that holds no token of the row

    bool operator==(const RowNumbers&) const = default;
};

constexpr std::array<std::string_view, 6> row_number_names = {
    "length", "visible_count", "retained_count", "next_slot", "next_id", "write_end"};

/// Calls visit(name, field) for each number, in order.
template <RecordOf<RowNumbers> Record, class Visit>
void for_each_field(Record& numbers, const Visit& visit) {
    auto& [length, visible_count, retained_count, next_slot, next_id, write_end] = numbers;
    visit_fields(row_number_names,
                 std::tie(length, visible_count, retained_count, next_slot, next_id, write_end),
                 visit);
}

}  // namespace kvcheck
