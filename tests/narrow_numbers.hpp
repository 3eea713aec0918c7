// SPDX-License-Identifier: Apache-2.0
// All numbers of the narrow formats by their bits, and the slow definition of rounding to them: a
// number halfway between two neighbours goes to the one with even bits, any other to the nearer.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "model/types/spec.hpp"

namespace kvcheck {

/// The number with these bits, the sign left out; the bits of infinity are read on as a number.
inline double narrow_number(Storage storage, unsigned bits) {
    const int fraction_bits = storage == Storage::fp16 ? 10 : 7;
    const int bias = storage == Storage::fp16 ? 15 : 127;
    const unsigned one = 1U << unsigned(fraction_bits);
    const int exponent = int(bits / one);
    const double digits = exponent == 0 ? bits % one : one + bits % one;
    return std::ldexp(digits, std::max(exponent, 1) - bias - fraction_bits);
}

inline unsigned bits_of_infinity(Storage storage) {
    return storage == Storage::fp16 ? 0x7c00 : 0x7f80;
}

/// `round` takes each of the 65,536 patterns to itself, and of the floats beside the middle of any
/// two neighbours each to the right one.
template <class Round>
void expect_nearest_of_all_patterns(Storage storage, const Round& round) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    const unsigned end = bits_of_infinity(storage);
    int checked = 0;
    const auto expect = [&](float x, double rounded) {
        for (const float sign : {1.0F, -1.0F}) {
            ++checked;
            const double seen = round(sign * x);
            if (seen == sign * rounded) continue;
            ADD_FAILURE() << sign * x << " became " << seen << ", not " << sign * rounded;
            return false;
        }
        return true;
    };
    for (unsigned bits = 0; bits < end; ++bits) {
        const double number = narrow_number(storage, bits);
        const double above = narrow_number(storage, bits + 1);
        const double next = bits + 1 == end ? double(infinity) : above;
        const auto middle = float((number + above) / 2);
        if (!expect(float(number), number)) return;
        if (!expect(std::nextafter(middle, 0.0F), number)) return;
        if (!expect(middle, bits % 2 == 0 ? number : next)) return;
        if (!expect(std::nextafter(middle, infinity), next)) return;
    }
    EXPECT_TRUE(expect(infinity, infinity));
    EXPECT_TRUE(std::isnan(round(std::numeric_limits<float>::quiet_NaN())));
    EXPECT_EQ(checked, int(8 * end + 2));
}

}  // namespace kvcheck
