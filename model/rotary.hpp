// SPDX-License-Identifier: Apache-2.0
// Rotary positions (clause 5 of docs/contract.md) over any scalar type: pairs of elements of every
// head of a query or a key are turned by the angle whose cosine and sine stand in the table's row
// of the token's id. Values are never turned.
#pragma once

#include <vector>

#include "model/types/parameters.hpp"

namespace kvcheck {

/// Two elements of a head, and the columns of the rotary table that turn them.
struct RotaryPair {
    Index first, second;  // elements of the head
    Index cosine, sine;   // columns
};

/// Pair i of a head, i below turned_width() / 2.
inline RotaryPair rotary_pair(const Spec& spec, Index i) {
    const Index half = spec.turned_width() / 2;
    if (spec.rotary == Rotary::adjacent) return {2 * i, 2 * i + 1, i, half + i};
    return {i, half + i, i, half + i};
}

/// All heads of a query or key, [heads][Dk], turned by row `id` of the table: of each pair (a, b)
/// becomes (a cos - b sin, b cos + a sin).
template <class Scalar>
std::vector<Scalar> rotated(const Spec& spec, const Parameters& parameters,
                            const std::vector<Scalar>& heads, Index id) {
    std::vector<Scalar> turned = heads;
    const float* const row = parameters.rotary_table.data() + id * spec.turned_width();
    const auto width = std::size_t(spec.key_width);
    for (std::size_t head = 0; head < heads.size(); head += width) {
        for (Index i = 0; i < spec.turned_width() / 2; ++i) {
            const RotaryPair pair = rotary_pair(spec, i);
            const Scalar cosine(row[pair.cosine]);
            const Scalar sine(row[pair.sine]);
            const std::size_t a = head + std::size_t(pair.first);
            const std::size_t b = head + std::size_t(pair.second);
            turned[a] = heads[a] * cosine - heads[b] * sine;
            turned[b] = heads[b] * cosine + heads[a] * sine;
        }
    }
    return turned;
}

}  // namespace kvcheck
