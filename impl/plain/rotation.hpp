// SPDX-License-Identifier: Apache-2.0
// Rotary positions of the textbook subject: clause 5 of docs/contract.md, and what rules of a
// mutant make of it.
#pragma once

#include "impl/plain/rules.hpp"

namespace kvcheck {

/// Turns each pair (a, b) of every head of a query or key, [heads*Dk], by a row of the rotary
/// table: (a cos - b sin, b cos + a sin).
template <class Scalar, class Heads>
void rotate(const Spec& spec, const PlainRotation& rotation, const float* row, Heads heads) {
    const Index columns = spec.turned_width() / 2;  // cosines, then as many sines
    const Index pairs = rotation.width / 2;
    const bool adjacent = rotation.pairing == Rotary::adjacent;
    for (Index head = 0; head < heads.size(); head += spec.key_width) {
        for (Index i = 0; i < pairs; ++i) {
            Scalar& first = heads(head + (adjacent ? 2 * i : i));
            Scalar& second = heads(head + (adjacent ? 2 * i + 1 : pairs + i));
            const Scalar cosine = row[i % columns];
            const Scalar sine = Scalar(rotation.direction) * Scalar(row[columns + i % columns]);
            const Scalar turned = first * cosine - second * sine;
            second = second * cosine + first * sine;
            first = turned;
        }
    }
}

}  // namespace kvcheck
