// SPDX-License-Identifier: Apache-2.0
// What the textbook session shows of a row beside its outputs: its numbers, and what it stores.
#pragma once

#include <algorithm>
#include <string>

#include "impl/plain/row_cache.hpp"
#include "model/types/row_numbers.hpp"
#include "model/types/view.hpp"

namespace kvcheck {

template <class Scalar>
RowNumbers numbers_of(const RowCache<Scalar>& row, Index next_id) {
    const Index length = row.length();
    Index visible = 0;
    for (std::size_t slot = 0; slot < row.real().size(); ++slot)
        visible += row.real()[slot] && !row.evicted()[slot] ? 1 : 0;
    const Index evicted = std::count(row.evicted().begin(), row.evicted().end(), true);
    return {.length = length,
            .visible_count = visible,
            .retained_count = length - evicted,
            .next_slot = length,
            .next_id = next_id,
            .write_end = length};
}

/// Writes key [Hkv][length][Dk] and value [Hkv][length][Dv], or says why not.
template <class Scalar>
std::string export_kv(const Spec& spec, const RowCache<Scalar>& row, const OutputView& key,
                      const OutputView& value) {
    const Shape keys{spec.kv_heads, row.length(), spec.key_width};
    const Shape values{spec.kv_heads, row.length(), spec.value_width};
    if (key.shape != keys || value.shape != values)
        return "export_kv: not as many slots as the row has";
    for (Index head = 0; head < spec.kv_heads; ++head) {
        for (Index slot = 0; slot < row.length(); ++slot) {
            for (Index d = 0; d < spec.key_width; ++d)
                key.at<Scalar>(head, slot, d) = row.key(head, slot)[d];
            for (Index d = 0; d < spec.value_width; ++d)
                value.at<Scalar>(head, slot, d) = row.value(head, slot)[d];
        }
    }
    return {};
}

}  // namespace kvcheck
