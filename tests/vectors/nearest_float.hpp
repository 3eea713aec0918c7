// SPDX-License-Identifier: Apache-2.0
// An answer of an oracle rounded once to float. Rounding its high part alone would round twice.
#pragma once

#include <cmath>
#include <limits>

#include "oracles/answer.hpp"

namespace kvcheck::vectors {

/// hi + lo to the nearest float, ties to even; needs |lo| of at most half an ulp of hi.
inline float nearest_float(const Answer& answer) {
    const float nearest = static_cast<float>(answer.hi);
    const double over = answer.hi - double(nearest);
    if (over == 0 || answer.lo == 0 || !std::isfinite(nearest)) return nearest;
    // A double that is no midpoint of two floats lies on the same side of each as the whole sum.
    const float infinity = std::numeric_limits<float>::infinity();
    const float other = std::nextafter(nearest, over > 0 ? infinity : -infinity);
    if (double(other) - answer.hi != over) return nearest;
    return (answer.lo > 0) == (other > nearest) ? other : nearest;
}

}  // namespace kvcheck::vectors
