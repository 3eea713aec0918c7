// SPDX-License-Identifier: Apache-2.0
// Narrow storage as the oracles see it (clause 13): the nearest number of a format, ties to even,
// and what is right to be stored of a number that is known up to a radius. A subject has a rounding
// of its own; the two share no line. docs/error_bound.md, section 12, equation (18).
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/types/feature_set.hpp"
#include "model/types/spec.hpp"
#include "oracles/answer.hpp"

namespace kvcheck {

/// Where keys are rotated: when they are read, or before they are stored, which then rounds what is
/// rotated. A subject says so by Feature::rotated_keys.
enum class StoredKeys { raw, rotated };
inline StoredKeys stored_keys_of(const FeatureSet& features) {
    return features.has(Feature::rotated_keys) ? StoredKeys::rotated : StoredKeys::raw;
}

/// A binary format with gradual underflow.
struct NarrowFormat {
    int digits;        // of a normal number, the leading one among them
    int exponent_min;  // of the smallest normal number, 2^exponent_min
    double omega;      // largest finite number
};
NarrowFormat format_of(Storage storage);

/// The number of the format nearest to x, of two equally near ones that with an even last digit;
/// infinite where that is beyond the largest by half a unit or more. Anything that is not finite is
/// left as it is.
template <class Number>
Number nearest_stored(Storage storage, const Number& x) {
    using std::abs;
    using std::floor;
    using std::frexp;
    using std::isfinite;
    using std::ldexp;
    if (storage == Storage::element || !isfinite(x) || x == 0) return x;
    const NarrowFormat format = format_of(storage);
    const Number size = abs(x);
    int exponent = 0;
    frexp(size, &exponent);  // size < 2^exponent
    const int unit = std::max(exponent, format.exponent_min + 1) - format.digits;
    const Number scaled = ldexp(size, -unit);
    const Number below = floor(scaled);
    const Number rest = scaled - below;
    const Number half = Number(0.5);
    const bool is_odd = floor(below * half) * 2 != below;
    const bool rises = rest > half || (rest == half && is_odd);
    const Number rounded = ldexp(rises ? Number(below + 1) : below, unit);
    const Number found =
        rounded > format.omega ? Number(std::numeric_limits<double>::infinity()) : rounded;
    return x < 0 ? Number(-found) : found;
}

/// What is right of a number of which `own` is right before it is stored, seen as `seen`: its
/// rounding within the bound, or, where `seen` is within but no number of the format, the nearest
/// one that is, and nothing beside it.
Answer stored_answer(Storage storage, const Answer& own, double seen);

}  // namespace kvcheck
