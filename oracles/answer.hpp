// SPDX-License-Identifier: Apache-2.0
// What the oracle says of one number: its value, and how far a correct program in the declared
// arithmetic may be from it. Plain data; no multiprecision type appears outside oracles/*.cpp.
#pragma once

#include <string>

namespace kvcheck {

/// The value is hi + lo, about 32 decimal digits; NaN in hi means that NaN is the right answer. A
/// certified answer (certified.hpp) has the sixteen digits of hi: its doubt says how far they may
/// be from the value, and its bound is a lower bound of the bound.
struct Answer {
    double hi = 0;
    double lo = 0;
    double bound = 0;  // absolute; docs/error_bound.md derives it
    double doubt = 0;  // absolute; 0 where all digits are right

    /// The answer for what an observation is without its `rest`, which a double had no room for.
    Answer without(double rest) const { return {hi, lo - rest, bound, doubt}; }
};

/// The value to twenty significant digits.
std::string answer_text(const Answer& answer);

/// How one observed number stands to its answer.
struct Deviation {
    double ratio = 0;  // (error + doubt) / bound: at most one where the observation is right;
                       // infinite where a finite answer met NaN or infinity
    double error = 0;  // |observed - value|
    double ulps = 0;   // the error in units in the last place of the answer, for people
    bool within() const { return ratio <= 1; }
};

/// NaN, infinities and the sign of zero are decided before any subtraction: NaN agrees with NaN
/// only, +0 with -0. `digits` is the precision in which ulps are counted, 24 or 53.
Deviation deviation_of(double observed, const Answer& answer, int digits);

/// Whether the answer, certified or not, proves that the observation is right, and says by how
/// little to three digits. Where it does not, only fifty digits judge.
bool settles(const Answer& answer, double observed);

}  // namespace kvcheck
