// SPDX-License-Identifier: Apache-2.0
// The bounds of exposed weights and of their sum (docs/error_bound.md, section 10): the larger of
// what a weight divided by the sum and a weight formed again from the log-sum-exp may be wrong by.
#include <algorithm>
#include <cmath>

#include "oracles/error_bound.hpp"

namespace kvcheck {
namespace {

/// sums[j] is the sum of the first j entries, after[j] that of all from j on.
struct PartialSums {
    std::vector<double> before{0};
    std::vector<double> after;

    explicit PartialSums(const std::vector<double>& entries) : after(entries.size() + 1, 0) {
        for (const double entry : entries) before.push_back(before.back() + entry);
        for (std::size_t j = entries.size(); j-- > 0;) after[j] = after[j + 1] + entries[j];
    }
    /// The sum of all but entry j, without a subtraction.
    double without(std::size_t j) const { return before[j] + after[j + 1]; }
};

}  // namespace

double QueryBound::log_sum_exp_from_sum() const {
    return -std::log1p(-denominator_roundings_) + rounding_.log_rel * log_sum_ +
           rounding_.gamma(2) * (largest_score_ + 2 * std::log(keys_) + theta_max_) +
           2 * keys_ * shift_factor_ * rounding_.exp_abs;
}

double QueryBound::log_sum_exp() const {
    // Beyond the hull nothing is averaged: no sum is off by more than its worst term.
    if (theta_max_ > theta_hull) return theta_max_ + log_sum_exp_from_sum();
    double raised = 0;   // sum_k a_k e^Theta_k
    double lowered = 0;  // sum_k a_k e^-Theta_k
    for (std::size_t j = 0; j < theta_.size(); ++j) {
        raised += weight_[j] * std::exp(theta_[j]);
        lowered += weight_[j] * std::exp(-theta_[j]);
    }
    const double from_scores =
        lowered > 0 ? std::max(std::log(raised), -std::log(lowered)) : theta_max_;
    return from_scores + log_sum_exp_from_sum();
}

std::vector<double> QueryBound::again_exponents() const {
    const NumericProfile& profile = rounding_.profile;
    const double from_sum = log_sum_exp_from_sum();
    const double total = log_sum_exp();
    std::vector<double> exponents;
    for (std::size_t j = 0; j < theta_.size(); ++j) {
        exponents.push_back((theta_[j] - delta_[j]) + from_sum +
                            rounding_.gamma(profile.difference_roundings) *
                                (gap_[j] + delta_[j] + log_sum_ + total) +
                            rounding_.gamma(profile.shift_roundings) *
                                (largest_score_ + log_sum_ + total) -
                            std::log1p(-rounding_.exp_rel));
    }
    return exponents;
}

WeightBounds QueryBound::weights() const {
    WeightBounds bounds;
    const std::size_t n = theta_.size();
    const bool may_form_again = rounding_.profile.merge_levels > 0;
    const double normalise =
        (rounding_.divide_rel + denominator_roundings_) / (1 - denominator_roundings_);  // nu
    const double absolute = shift_factor_ * (rounding_.exp_abs + rounding_.eta);
    std::vector<double> high;  // a_k e^Theta_k
    std::vector<double> low;   // a_k e^-Theta_k
    for (std::size_t j = 0; j < n; ++j) {
        high.push_back(weight_[j] * std::exp(std::min(theta_[j], theta_hull)));
        low.push_back(weight_[j] * std::exp(-theta_[j]));
    }
    const PartialSums high_sums(high);
    const PartialSums low_sums(low);
    const std::vector<double> again =
        may_form_again ? again_exponents() : std::vector<double>(n, 0);

    double again_sum = 0;  // sum_j (a_j + W_j)(e^g_j - 1)
    for (std::size_t j = 0; j < n; ++j) {
        const double a = weight_[j];
        double most = 1;
        double least = 0;
        if (theta_max_ <= theta_hull) {
            if (high[j] + low_sums.without(j) > 0) most = high[j] / (high[j] + low_sums.without(j));
            if (low[j] + high_sums.without(j) > 0) least = low[j] / (low[j] + high_sums.without(j));
        }
        // What double loses in the two differences.
        const double lost = n > 1 ? (keys_ + 8) * std::ldexp(most, -52) : 0;
        const double reach = std::max({most - a, a - least, 0.0}) + lost;  // W_j
        const double divided = reach + (a + reach) * normalise;
        const double g = std::min(again[j], theta_hull);
        const double formed =
            may_form_again ? std::max(most * std::exp(g) - a, a - least * std::exp(-g)) + lost : 0;
        bounds.each.push_back(enlarged(std::max(divided, formed) + 4 * absolute * (1 + keys_ * a)));
        again_sum += (a + reach) * std::expm1(g);
    }
    bounds.sum =
        enlarged(std::max(normalise, may_form_again ? again_sum : 0) + 4 * keys_ * absolute);
    return bounds;
}

}  // namespace kvcheck
