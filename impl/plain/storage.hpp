// SPDX-License-Identifier: Apache-2.0
// Narrow storage of the textbook subject: a number to the nearest of a narrow format, clause 13 of
// docs/contract.md. Overflow gives infinity, and what is not finite stays as it is.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/types/spec.hpp"

namespace kvcheck {

/// `round` makes an integer of a multiple of the last digit: std::nearbyint goes to the nearest, of
/// two equally near ones to the even one, as long as nobody has changed the rounding mode.
inline double narrowed(Storage storage, double number, double (*round)(double) = std::nearbyint) {
    const bool is_format = storage == Storage::bf16 || storage == Storage::fp16;
    if (!is_format || !std::isfinite(number)) return number;
    const bool is_half = storage == Storage::fp16;
    const int digits = is_half ? 11 : 8;
    const int exponent_least = is_half ? -13 : -125;  // as std::frexp counts, of a normal number
    const int exponent_end = is_half ? 16 : 128;
    int exponent = 0;
    std::frexp(number, &exponent);
    const int last_digit = std::max(exponent, exponent_least) - digits;
    const double kept = std::ldexp(round(std::ldexp(number, -last_digit)), last_digit);
    const bool overflows = std::fabs(kept) >= std::ldexp(1.0, exponent_end);
    return overflows ? std::copysign(std::numeric_limits<double>::infinity(), number) : kept;
}

}  // namespace kvcheck
