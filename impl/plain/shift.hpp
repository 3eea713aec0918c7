// SPDX-License-Identifier: Apache-2.0
// Lower ids for a row of the textbook subject (clause 10). Its keys are stored turned, so they are
// turned back.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "impl/plain/rotation.hpp"
#include "impl/plain/row_cache.hpp"
#include "impl/plain/rules.hpp"

namespace kvcheck {

/// Of a token that follows the one in slot `last` on its path (-1: none), before its row was
/// shifted.
template <class Scalar>
Index unshifted_id(const Spec& spec, const RowCache<Scalar>& row, Index last) {
    Index id = 0;
    for (Index slot = last; slot >= 0; slot = row.parents()[std::size_t(slot)]) {
        id += row.real()[std::size_t(slot)] || spec.position_ids == PositionIds::slot ? 1 : 0;
    }
    return id;
}

/// The lowest id of a token that is seen, or the next one.
template <class Scalar>
Index lowest_id(const Spec& spec, const RowCache<Scalar>& row) {
    Index lowest = unshifted_id(spec, row, row.length() - 1);
    for (Index slot = 0; slot < row.length(); ++slot) {
        if (!row.real()[std::size_t(slot)] || row.evicted()[std::size_t(slot)]) continue;
        lowest = std::min(lowest, unshifted_id(spec, row, row.parents()[std::size_t(slot)]));
    }
    return lowest - row.shift();
}

/// Carries the shift out, or says why not; nothing is changed then. `table` has `positions` rows.
template <class Scalar>
std::string shift(const Spec& spec, const PlainRules& rules, const std::vector<float>& table,
                  Index positions, RowCache<Scalar>& row, Index by) {
    if (by < 0 || by > std::max<Index>(lowest_id(spec, row), 0))
        return "by: an id would fall below zero";
    const bool is_turned = spec.rotary != Rotary::none;
    if (is_turned && spec.storage == Storage::int8)
        return "turned keys are stored as integers, which are not turned back";
    PlainRotation back = rules.rotation(spec);
    const PlainShift way = rules.shift();
    back.direction *= way.direction;
    const Index heads = way.every_head ? spec.kv_heads : 1;
    // Beyond the table no key is left that anybody sees.
    for (Index slot = 0; slot < row.length() && is_turned && by < positions; ++slot) {
        for (Index head = 0; head < heads; ++head) {
            const std::span<Scalar> key = row.key_numbers(head, slot);
            using Vector = typename RowCache<Scalar>::Vector;
            rotate<Scalar>(spec, back, table.data() + by * spec.turned_width(),
                           Eigen::Map<Vector>(key.data(), Index(key.size())));
        }
    }
    row.set_shift(way.adds ? row.shift() + by : by);
    return {};
}

}  // namespace kvcheck
