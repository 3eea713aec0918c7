// SPDX-License-Identifier: Apache-2.0
#include "model/cache_state.hpp"

#include <algorithm>

#include "model/types/assert.hpp"

namespace kvcheck {

Index RowState::visible_count() const { return std::count(real_.begin(), real_.end(), true); }

Index RowState::position_id(Index slot) const {
    KVCHECK_ASSERT(slot >= 0 && slot <= length());
    if (ids_ == PositionIds::slot) return slot;
    return std::count(real_.begin(), real_.begin() + slot, true);
}

CacheState::CacheState(const Spec& spec, Index position_count)
    : capacity_(spec.capacity),
      position_count_(position_count),
      has_table_(spec.position_signal != PositionSignal::none),
      rows_(std::size_t(spec.rows), RowState(spec.position_ids)) {}

std::string CacheState::objection(const Append& append) const {
    if (append.rows.size() != rows_.size()) return "the number of rows (clause 12)";
    if (append.query_offset && append.query_offset->size() != rows_.size()) {
        return "the number of query offsets (clause 6)";
    }
    for (std::size_t r = 0; r < rows_.size(); ++r) {
        RowState row = rows_[r];
        if (append.query_offset && (*append.query_offset)[r] != row.length()) {
            return "query_offset of row " + std::to_string(r) + ": " +
                   std::to_string((*append.query_offset)[r]) + ", the next slot is " +
                   std::to_string(row.length()) + " (clause 6)";
        }
        for (const Token& token : append.rows[r]) {
            const std::string at =
                "row " + std::to_string(r) + ", slot " + std::to_string(row.length());
            if (row.length() >= capacity_) return at + ": beyond the capacity (clause 7)";
            if (has_table_ && row.position_id(row.length()) >= position_count_) {
                return at + ": its id lies beyond the position table (clause 5)";
            }
            row.append(token.real);
        }
    }
    return {};
}

void CacheState::apply(const Append& append) {
    KVCHECK_ASSERT(append.rows.size() == rows_.size());
    for (std::size_t r = 0; r < rows_.size(); ++r) {
        for (const Token& token : append.rows[r]) rows_[r].append(token.real);
    }
}

void CacheState::apply(const Reset&) {
    for (RowState& row : rows_) row.reset();
}

}  // namespace kvcheck
