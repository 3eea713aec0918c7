// SPDX-License-Identifier: Apache-2.0
// A record that names its fields once: a table with a row for each field, and its fields as a tuple
// of references in the same order. Text forms, limits, features and shrinking walk the two
// together. The tuple comes from a structured binding, which does not compile where a field of the
// record is missing, and the table must have as many rows.
#pragma once

#include <array>
#include <concepts>
#include <tuple>
#include <type_traits>

namespace kvcheck {

/// Type or const Type.
template <class Record, class Type>
concept RecordOf = std::same_as<std::remove_const_t<Record>, Type>;

/// Calls visit(row, field) for every row of `table` and the reference beside it.
template <class Row, std::size_t count, class... Fields, class Visit>
void visit_fields(const std::array<Row, count>& table, const std::tuple<Fields&...>& fields,
                  const Visit& visit) {
    static_assert(count == sizeof...(Fields), "a row of the table for each field of the record");
    std::size_t n = 0;
    std::apply([&](auto&... field) { (visit(table[n++], field), ...); }, fields);
}

}  // namespace kvcheck
