// SPDX-License-Identifier: Apache-2.0
// The number types of the two oracles, fifty decimal digits each, from different back ends so that
// a fault of one would show. Include in .cpp files only: these headers take seconds to compile.
#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>
#ifdef KVCHECK_HAVE_MPFR
#include <boost/multiprecision/mpfr.hpp>
#endif

namespace kvcheck {

namespace multiprecision = boost::multiprecision;

/// Expression templates are off: they gain nothing on short formulas and make `auto` a trap.
using BinaryNumber =
    multiprecision::number<multiprecision::cpp_bin_float<50>, multiprecision::et_off>;

#ifdef KVCHECK_HAVE_MPFR
/// Several times faster than the header-only type; the digits are the same.
using Number =
    multiprecision::number<multiprecision::mpfr_float_backend<50, multiprecision::allocate_stack>,
                           multiprecision::et_off>;
#else
using Number = BinaryNumber;
#endif

}  // namespace kvcheck
