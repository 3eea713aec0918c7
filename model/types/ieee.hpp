// SPDX-License-Identifier: Apache-2.0
// Bits, spacing and text of IEEE 754 numbers. No arithmetic on them beyond that: rounding to the
// narrow storage types is written by subject and oracle separately.
#pragma once

#include <cstdint>
#include <string>

namespace kvcheck {

/// True where both have the same bits; every NaN counts as the same NaN, +0 and -0 differ.
bool same_bits(double a, double b);

/// The distance of two neighbours of float (digits = 24) or double (53) around `value`, in units of
/// which an error is shown to people: one ulp. Never used to judge.
double ulp_at(double value, int digits);

/// The shortest decimal that reads back as the same float; "nan", "inf", "-inf", "-0" for the rest.
std::string float_text(float value);

}  // namespace kvcheck
