// SPDX-License-Identifier: Apache-2.0
// Rows that publish a prefix and rows that can continue one, in a past that was drawn: what the
// properties of clause 11 begin with.
#pragma once

#include <optional>

#include "properties/drive/continuation.hpp"

namespace kvcheck {

constexpr Index published_as = extent_max;  // a name that no program drew

/// The first row that can publishes what it holds; nothing where none can.
inline std::optional<Index> publish_a_row(Continuation& life) {
    for (Index row = 0; row < life.state().row_count(); ++row) {
        const Publish publish{row, published_as};
        if (!life.state().objection(publish).empty()) continue;
        life.add(publish);
        return row;
    }
    return std::nullopt;
}

/// Publishes all but the last slot of what it has published, too, where it can.
inline void publish_a_part(Continuation& life, Index row) {
    const Truncate truncate{life.state().row(row).length() - 1, row};
    if (truncate.length == 0 || !life.features().has(Feature::truncate_row)) return;
    life.add(truncate);
    life.add(Publish{row, published_as - 1});
}

/// A row that is empty, or is emptied here; the one that published where there is no other.
inline std::optional<Index> row_to_reuse(Continuation& life, Index publisher) {
    const Index rows = life.state().row_count();
    for (Index n = 1; n <= rows; ++n) {
        const Index row = (publisher + n) % rows;
        if (life.state().objection(Reuse{row, published_as, 1}).empty()) return row;
        if (!life.features().has(Feature::reset_row)) continue;
        // Nothing of the row that it was may be left, and so not what was evicted of it.
        const Evict evict{row, 0, 1};
        if (life.features().has(Feature::evict) && life.state().objection(evict).empty())
            life.add(evict);
        life.add(Reset{row});
        return row;
    }
    return std::nullopt;
}

}  // namespace kvcheck
