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
constexpr bool is_format(Storage storage) {
    return storage == Storage::bf16 || storage == Storage::fp16;
}

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
    if (!is_format(storage) || !isfinite(x) || x == 0) return x;
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

/// What an element may be stored as: a number of the format from `low` to `high`, or in int8 an
/// integer between them times a step, the scale. Empty (high < low): nothing is known but a ball.
struct StoredRange {
    double low = 0;
    double high = -1;
    double step = 0;       // of int8: max |x| / 127 over all elements of the head
    double step_rest = 0;  // what a double cannot say of it
    double spread = 0;     // relative error of an integer times the scale, as it is shown
    double underflow = 0;  // absolute, for each unit of the integer
};

/// What is right of an element where `seen` is shown: the nearest of what it may be stored as.
/// `own` where the range is empty.
Answer stored_answer(Storage storage, const StoredRange& range, const Answer& own, double seen);

}  // namespace kvcheck
