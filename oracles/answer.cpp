// SPDX-License-Identifier: Apache-2.0
// Answers as text, and deviations from them (declared in answer.hpp).
#include "oracles/answer.hpp"

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <limits>

#include "model/types/ieee.hpp"

namespace kvcheck {

std::string answer_text(const Answer& answer) {
    if (!std::isfinite(answer.hi)) return std::isnan(answer.hi) ? "nan" : "infinite";
    const boost::multiprecision::cpp_bin_float_50 value(answer.hi);
    return boost::multiprecision::cpp_bin_float_50(value + answer.lo).str(20);
}

Deviation deviation_of(double observed, const Answer& answer, int digits) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (std::isnan(answer.hi)) {
        return std::isnan(observed) ? Deviation{} : Deviation{infinity, infinity, infinity};
    }
    if (!std::isfinite(observed)) return {infinity, infinity, infinity};
    const double error = std::fabs((observed - answer.hi) - answer.lo);
    if (error == 0 && answer.doubt == 0) return {};
    return {(error + answer.doubt) / answer.bound, error, error / ulp_at(answer.hi, digits)};
}

bool settles(const Answer& answer, double observed) {
    // A larger share would show in the ratios that are printed.
    const double share_max = std::ldexp(1.0, -10);
    return answer.doubt <= share_max * answer.bound && deviation_of(observed, answer, 53).within();
}

}  // namespace kvcheck
