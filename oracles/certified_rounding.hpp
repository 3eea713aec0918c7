// SPDX-License-Identifier: Apache-2.0
// What double arithmetic may be wrong by: the constants of the certificate. Internal to the
// certified evaluation.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "oracles/certified.hpp"

namespace kvcheck {

namespace in_double {

constexpr double u = std::numeric_limits<double>::epsilon() / 2;
constexpr double eta = std::numeric_limits<double>::denorm_min();
/// The relative error of the system's exp, taken as two ulp, and its absolute one below the normal
/// numbers. glibc documents one ulp.
constexpr double exp_rel = 4 * u;
constexpr double exp_abs = 16 * eta;
/// The error of the system's tanh, taken as four ulp of one. glibc documents two of the result.
constexpr double tanh_abs = 8 * u;

/// More terms than this and the reserves of `raised` and `lowered` would not pay.
constexpr double terms_max = 1 << 17;

constexpr double gamma(double n) { return n * u / (1 - n * u); }

}  // namespace in_double

/// Doubts are sums of terms that are not negative, evaluated in double; this pays for it.
inline double raised(double doubt) { return doubt * (1 + std::ldexp(1.0, -20)); }

/// Lower bounds of the bound are evaluated in double from facts that are so, and the bound that
/// they stay below is, too; this pays for both.
inline double lowered(double bound) { return bound * (1 - std::ldexp(1.0, -24)); }

/// A lower bound of the size of an element.
inline double least_size(const Certified::Ball& ball, std::size_t i) {
    return std::max(std::fabs(ball.value[i]) - ball.doubt_at(i), 0.0);
}

}  // namespace kvcheck
