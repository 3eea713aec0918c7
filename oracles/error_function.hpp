// SPDX-License-Identifier: Apache-2.0
// erf at fifty digits, which Boost's number types lack or are slow at. Include in .cpp files only,
// before the model is instantiated with these numbers.
#pragma once

#include "model/decoder_parts.hpp"
#include "oracles/number.hpp"

namespace kvcheck {

/// erf(x) = 2/sqrt(pi) e^(-x^2) sum_n 2^n x^(2n+1) / (1 3 5 ... (2n+1)), all of whose terms have
/// one sign (Abramowitz and Stegun, 7.1.6). The absolute error is a few units of the fiftieth
/// digit.
template <class Wide>
Wide error_function_series(const Wide& x) {
    using std::abs;
    using std::exp;
    if (abs(x) > Wide(12)) return x > Wide(0) ? Wide(1) : Wide(-1);  // 1 - erf(12) < 1e-64
    const Wide square = x * x;
    Wide term = x;
    Wide sum = x;
    for (int n = 1; abs(term) > abs(sum) * Wide(std::ldexp(1.0, -180)); ++n) {
        term *= 2 * square / Wide(2 * n + 1);
        sum += term;
    }
    const Wide pi = 4 * atan(Wide(1));
    return 2 * sum * exp(Wide(-square)) / sqrt(pi);
}

template <>
struct ErrorFunction<BinaryNumber> {
    static BinaryNumber of(const BinaryNumber& x) { return error_function_series(x); }
};

#ifdef KVCHECK_HAVE_MPFR
template <>
struct ErrorFunction<Number> {
    static Number of(const Number& x) {
        Number result;
        mpfr_erf(result.backend().data(), x.backend().data(), MPFR_RNDN);
        return result;
    }
};
#endif

}  // namespace kvcheck
