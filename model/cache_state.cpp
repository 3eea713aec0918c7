// SPDX-License-Identifier: Apache-2.0
// The state of all rows (declared in cache_state.hpp). Each command's own part stands in commands/.
#include "model/cache_state.hpp"

#include "model/commands/evict.hpp"
#include "model/commands/finish.hpp"
#include "model/commands/fork.hpp"
#include "model/commands/reload.hpp"
#include "model/commands/reorder.hpp"
#include "model/commands/reset.hpp"
#include "model/commands/shift.hpp"
#include "model/commands/truncate.hpp"

namespace kvcheck {
namespace {

std::string_view tables_of(const Spec& spec) {
    const bool of_positions = spec.position_signal != PositionSignal::none;
    const bool is_turned = spec.rotary != Rotary::none;
    if (of_positions && is_turned) return "position table and the rotary table";
    return is_turned ? "rotary table" : "position table";
}

}  // namespace

CacheState::CacheState(const Spec& spec, Index positions)
    : capacity_(spec.capacity),
      position_ids_(spec.position_ids),
      position_limit_(spec.reads_a_table() ? positions : std::numeric_limits<Index>::max()),
      tables_(tables_of(spec)),
      rows_(std::size_t(spec.rows)) {}

RowNumbers CacheState::numbers(Index row) const {
    const History& history = rows_[std::size_t(row)];
    const Index length = history.length();
    return {.length = length,
            .visible_count = history.visible_count(),
            .retained_count = length - history.evicted_count(),
            .next_slot = length,
            .next_id = history.next_id(position_ids_),
            .write_end = length};
}

std::string CacheState::objection_to_row(Index row, std::string_view command) const {
    if (row >= 0 && row < row_count()) return {};
    return std::string(command) + " of row " + std::to_string(row) + ": no such row (clause 12)";
}

std::string CacheState::objection(const Command& command) const {
    return std::visit([&](const auto& one) { return objection_to(one, *this); }, command);
}

void CacheState::apply(const Command& command) {
    std::visit([&](const auto& one) { kvcheck::apply(one, *this); }, command);
}

}  // namespace kvcheck
