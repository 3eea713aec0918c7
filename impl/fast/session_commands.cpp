// SPDX-License-Identifier: Apache-2.0
// The part of a session that brings no token: the commands of clause 10, and what a session tells
// of its rows.
#include <algorithm>
#include <new>
#include <numeric>
#include <utility>

#include "impl/admission.hpp"
#include "impl/fast/session.hpp"
#include "impl/fast/states.hpp"

namespace kvcheck::fast {
namespace {

const std::string no_row = "no such row";

}  // namespace

Status FastSession::admits(std::span<const Index> counts, bool& fits) {
    const std::string objection = objection_to_counts(counts, spec_.rows);
    if (!objection.empty()) return Status::refused(objection);
    fits = true;
    for (Index row = 0; row < spec_.rows; ++row) {
        const RowSlots& slots = cache_.row(row);
        const Index room = slots.is_finished() ? 0 : spec_.capacity - slots.length();
        fits = fits && counts[std::size_t(row)] <= room;
    }
    return Status::done();
}

Status FastSession::apply(const Lifecycle& command) {
    const auto lacks = [&](Index row) { return row < 0 || row >= spec_.rows; };
    const auto carry_out = Overload{
        [&](const Reset& reset) -> std::string {
            if (reset.row && lacks(*reset.row)) return no_row;
            for (Index row = 0; row < spec_.rows; ++row) {
                if (!reset.row || *reset.row == row) cache_.reset(row);
            }
            if (!reset.row) cache_.forget_prefixes();
            return {};
        },
        [&](const Truncate& truncate) -> std::string {
            return truncate.row && lacks(*truncate.row) ? no_row : this->truncate(truncate);
        },
        [&](const Reorder& reorder) -> std::string {
            if (reorder.sources.empty()) return "sources: none";
            if (std::any_of(reorder.sources.begin(), reorder.sources.end(), lacks)) return no_row;
            return continue_rows(reorder.sources);
        },
        [&](const Fork& fork) -> std::string {
            if (lacks(fork.row)) return no_row;
            std::vector<Index> sources(std::size_t(spec_.rows + 1), fork.row);
            std::iota(sources.begin(), sources.end() - 1, Index{0});
            return continue_rows(sources);
        },
        [&](const Finish& finish) -> std::string {
            if (lacks(finish.row)) return no_row;
            cache_.finish(finish.row);
            return {};
        },
        [&](const Evict& evict) -> std::string {
            return lacks(evict.row) ? no_row : this->evict(evict);
        },
        [&](const Shift& shift) -> std::string {
            return lacks(shift.row) ? no_row : this->shift(shift);
        }};
    try {
        std::string objection = std::visit(carry_out, command);
        if (!objection.empty()) return Status::refused(std::move(objection));
    } catch (const std::bad_alloc&) {
        return Status::refused("no memory for this many rows");
    }
    return Status::done();
}

std::string FastSession::truncate(const Truncate& truncate) {
    const auto is_meant = [&](Index row) { return !truncate.row || *truncate.row == row; };
    if (truncate.length < 0) return "length: below zero";
    for (Index row = 0; row < spec_.rows; ++row) {
        if (is_meant(row) && truncate.length > cache_.length(row)) {
            return "length: more than the row has";
        }
    }
    for (Index row = 0; row < spec_.rows; ++row) {
        if (is_meant(row)) cache_.truncate(row, truncate.length);
    }
    return {};
}

std::string FastSession::evict(const Evict& evict) {
    const bool fits =
        0 <= evict.begin && evict.begin < evict.end && evict.end <= cache_.length(evict.row);
    if (!fits) return "begin and end: no slots of the row";
    cache_.evict(evict.row, evict.begin, evict.end);
    return {};
}

std::string FastSession::shift(const Shift& shift) {
    const Index lowest = std::max<Index>(cache_.row(shift.row).lowest_id(), 0);
    if (shift.by < 0 || shift.by > lowest) return "by: an id would fall below zero";
    if (!rotation_.is_none() && spec_.storage == Storage::int8)
        return "turned keys are stored as integers, which are not turned back";
    // As far as the end of the table goes only a row of which nothing is seen.
    if (shift.by >= positions_ && !rotation_.is_none()) {
        cache_.shift_ids(shift.row, shift.by);
    } else {
        cache_.shift(shift.row, shift.by, rotation_);
    }
    return {};
}

std::string FastSession::continue_rows(std::span<const Index> sources) {
    const auto rows = Index(sources.size());
    if (rows > kvcheck::rows_max) return "rows: too many";
    // Room first, which changes nothing that is seen, and the cache's rows last.
    lengths_.reserve(sources.size());
    const bool more = plan_.states_max(rows) > plan_.states_max();
    Memory states(more ? state_floats(plan_.states_max(rows), spec_.value_width) : 0);
    plan_.make_room(rows);
    if (more) states_ = std::move(states);
    cache_.reorder(sources);
    lengths_.resize(sources.size());
    spec_.rows = rows;
    return {};
}

Status FastSession::numbers(std::span<RowNumbers> rows) {
    for (Index row = 0; row < spec_.rows; ++row) {
        const RowSlots& slots = cache_.row(row);
        const Index length = slots.length();
        rows[std::size_t(row)] = {.length = length,
                                  .visible_count = slots.visible_count(),
                                  .retained_count = length - slots.evicted_count(),
                                  .next_slot = length,
                                  .next_id = slots.next_id(),
                                  .write_end = length};
    }
    return Status::done();
}

/// What was evicted is shown as zeros: its block may be another row's by now.
Status FastSession::export_kv(Index row, const OutputView& key, const OutputView& value) {
    for (Index head = 0; head < spec_.kv_heads; ++head) {
        for (Index slot = 0; slot < cache_.length(row); ++slot) {
            const bool shown = !cache_.row(row).is_evicted_slot(slot);
            for (Index i = 0; i < spec_.key_width; ++i) {
                key.at<float>(head, slot, i) = shown ? cache_.stored_key(row, head, slot, i) : 0;
            }
            for (Index i = 0; i < spec_.value_width; ++i) {
                value.at<float>(head, slot, i) =
                    shown ? cache_.stored_value(row, head, slot, i) : 0;
            }
        }
    }
    return Status::done();
}

Status FastSession::poison_unused(double pattern) {
    const auto fill = [&](const Memory& memory) {
        std::fill_n(memory.data(), memory.size(), float(pattern));
    };
    cache_.poison_unused(float(pattern));
    fill(scratch_);
    fill(states_);
    fill(turned_);
    if (layer_) fill(layer_->memory);
    return Status::done();
}

MemoryUse FastSession::memory_use() const {
    MemoryUse use = cache_.memory_use();
    Index floats = scratch_.size() + states_.size() + turned_.size();
    if (layer_) floats += layer_->memory.size();
    use.bytes += floats * Index(sizeof(float));
    return use;
}

}  // namespace kvcheck::fast
