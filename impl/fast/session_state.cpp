// SPDX-License-Identifier: Apache-2.0
// A session's state as bytes (clause 10): for each row how its slots stand, which slot each follows
// where it is a tree, and what is stored of those that are retained, as it lies in the blocks.
// Position ids, anchors and counts follow from that and are not saved. Rows that shared blocks no
// longer do.
#include <cstdint>

#include "impl/fast/session.hpp"

namespace kvcheck::fast {

StateLabel FastSession::state_label() const { return label_of("fast", spec_, fingerprint_); }

Status FastSession::save(std::vector<std::byte>& bytes) {
    StateWriter state;
    for (Index r = 0; r < spec_.rows; ++r) {
        const RowSlots& row = cache_.row(r);
        const Index length = row.length();
        std::vector<bool> real;
        std::vector<bool> evicted;
        for (Index slot = 0; slot < length; ++slot) {
            real.push_back(row.is_real_slot(slot));
            evicted.push_back(row.is_evicted_slot(slot));
        }
        state.number(length);
        state.flags(real);
        state.flags(evicted);
        state.flags({row.is_finished(), row.is_tree()});
        state.number(row.shift());
        for (Index slot = 0; slot < length && row.is_tree(); ++slot) state.number(row.parent(slot));
        for (Index slot = 0; slot < length; ++slot) {
            if (row.is_evicted_slot(slot)) continue;
            cache_.visit_stored(
                r, slot, [&](const void* from, std::size_t count) { state.bytes(from, count); });
        }
    }
    bytes = state.sealed(state_label());
    return Status::done();
}

Status FastSession::load(std::span<const std::byte> bytes) {
    StateReader state(bytes, state_label());
    for (Index r = 0; r < spec_.rows && state.ok(); ++r) {
        const Index length = state.number(0, spec_.capacity);
        const std::vector<bool> real = state.flags(length);
        const std::vector<bool> evicted = state.flags(length);
        const std::vector<bool> is = state.flags(2);
        const bool finished = is[0];
        const Index shift = state.number(0, extent_max);
        std::vector<Index> back;
        for (Index slot = 0; slot < length && is[1]; ++slot)
            back.push_back(slot - state.number(-1, slot - 1));
        if (!state.ok()) break;
        cache_.shift_ids(r, shift);
        cache_.grow(r, std::vector<std::uint8_t>(real.begin(), real.end()), back);
        for (Index slot = 0; slot < length; ++slot) {
            if (evicted[std::size_t(slot)]) continue;
            cache_.visit_stored(r, slot,
                                [&](void* to, std::size_t count) { state.bytes(to, count); });
        }
        for (Index slot = 0; slot < length; ++slot) {
            if (evicted[std::size_t(slot)]) cache_.evict(r, slot, slot + 1);
        }
        if (finished) cache_.finish(r);
    }
    if (state.ok()) state.end();
    return state.ok() ? Status::done() : Status::refused(state.objection());
}

}  // namespace kvcheck::fast
