// SPDX-License-Identifier: Apache-2.0
// What the commands of clause 10 do to the rows of the textbook subject. A row that is forked or
// reordered is copied, and that is all.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "impl/plain/row_cache.hpp"
#include "impl/plain/rules.hpp"
#include "model/types/lifecycle.hpp"

namespace kvcheck {

template <class Scalar>
RowCache<Scalar> copy_of(const PlainRules& rules, const RowCache<Scalar>& row) {
    RowCache<Scalar> copy = row.copy();
    if (!rules.copies_evictions()) copy.show_evicted();
    return copy;
}

/// Carries the command out, or says why not; nothing is changed then. `shift` does so for the ids
/// of a row.
template <class Scalar, class ShiftRow>
std::string apply(const PlainRules& rules, const Lifecycle& asked,
                  std::vector<RowCache<Scalar>>& rows, const ShiftRow& shift_row) {
    const std::optional<Lifecycle> command = rules.carried_out(asked);
    if (!command) return {};
    const auto lacks = [&](Index row) { return row < 0 || row >= Index(rows.size()); };
    // Calls change(row) for the one that is named, or for every row.
    const auto each = [&](const std::optional<Index>& named, const auto& change) {
        for (std::size_t r = 0; r < rows.size(); ++r) {
            if (!named || *named == Index(r)) change(rows[r]);
        }
    };
    constexpr const char* no_row = "no such row";
    return std::visit(
        Overload{[&](const Reset& reset) -> std::string {
                     if (reset.row && lacks(*reset.row)) return no_row;
                     each(reset.row, [](auto& row) { row.reset(); });
                     return {};
                 },
                 [&](const Truncate& truncate) -> std::string {
                     if (truncate.row && lacks(*truncate.row)) return no_row;
                     bool fits = truncate.length >= 0;
                     each(truncate.row,
                          [&](auto& row) { fits = fits && truncate.length <= row.length(); });
                     if (!fits) return "length: more than the row has";
                     each(truncate.row, [&](auto& row) { row.truncate(truncate.length); });
                     return {};
                 },
                 [&](const Reorder& reorder) -> std::string {
                     if (reorder.sources.empty()) return "sources: none";
                     for (const Index source : reorder.sources) {
                         if (lacks(source)) return no_row;
                     }
                     std::vector<RowCache<Scalar>> continued;
                     for (const Index source : reorder.sources) {
                         const std::size_t row = continued.size();
                         continued.push_back(copy_of(rules, rows[std::size_t(source)]));
                         if (!rules.reorders_values() && row < rows.size())
                             continued.back().take_values(rows[row]);
                     }
                     rows = std::move(continued);
                     return {};
                 },
                 [&](const Fork& fork) -> std::string {
                     if (lacks(fork.row)) return no_row;
                     const RowCache<Scalar>& row = rows[std::size_t(fork.row)];
                     rows.push_back(rules.copies_a_fork() ? copy_of(rules, row)
                                                          : RowCache<Scalar>(row));
                     return {};
                 },
                 [&](const Finish& finish) -> std::string {
                     if (lacks(finish.row)) return no_row;
                     rows[std::size_t(finish.row)].finish();
                     return {};
                 },
                 [&](const Evict& evict) -> std::string {
                     if (lacks(evict.row)) return no_row;
                     auto& row = rows[std::size_t(evict.row)];
                     const bool fits =
                         0 <= evict.begin && evict.begin < evict.end && evict.end <= row.length();
                     if (!fits) return "begin and end: no slots of the row";
                     row.evict(evict.begin, evict.end);
                     return {};
                 },
                 [&](const Shift& shift) -> std::string {
                     return lacks(shift.row) ? no_row
                                             : shift_row(rows[std::size_t(shift.row)], shift.by);
                 }},
        *command);
}

}  // namespace kvcheck
