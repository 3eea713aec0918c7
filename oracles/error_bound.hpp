// SPDX-License-Identifier: Apache-2.0
// How far a correct program may be from the exact answer: the only birthplace of tolerances.
// docs/error_bound.md derives every formula in the symbols used here. All radii are evaluated in
// double and enlarged by 1 + 2^-20, which pays for that evaluation.
// Not covered: directed rounding, products that are not sums in some order (Strassen, Winograd),
// weights that enter the numerator and the denominator of the softmax differently.
#pragma once

#include <vector>

#include "model/types/numeric_profile.hpp"
#include "model/types/spec.hpp"

namespace kvcheck {

/// The profile's declarations as relative and absolute errors.
struct Rounding {
    double u;        // unit roundoff, 2^-digits
    double eta;      // absolute error of one operation that underflows
    double omega;    // largest finite number
    double exp_rel;  // relative error of exp
    double exp_abs;  // its absolute error where the result is not normal
    double log_rel;
    double divide_rel;
    NumericProfile profile;

    explicit Rounding(const NumericProfile& profile);

    /// n u / (1 - n u): the error of a product of n factors 1 + d, |d| <= u (Higham).
    double gamma(double n) const;
    /// Rescalings on the path of one of n visible keys among `slots` slots.
    double rescales(double n, double slots) const;
};

/// The radii are enlarged by this factor after their evaluation in double.
double enlarged(double radius);

/// A sum of n products of exact factors w and uncertain ones x, plus an optional exact bias, in any
/// order.
struct DotFacts {
    double n = 0;
    double spread = 0;      // sum of |w_i| r_i
    double magnitude = 0;   // sum of |w_i| |x_i|+, plus |bias|
    double weight_sum = 0;  // sum of |w_i|
    double input_sum = 0;   // sum of |x_i|+
    bool has_bias = false;
};
double dot_radius(const Rounding& rounding, const DotFacts& facts);

/// What the bound reads of one query of one head; [keys] runs over the visible keys. |x|+ is |x|
/// plus the radius of x; radii are zero where inputs are exact.
struct QueryFacts {
    double slots = 0;                    // N, up to the query's own, seen or not
    double key_width = 0;                // D
    double scale = 0;                    // |scale|
    double query_sum = 0;                // sum_d |q_d|+
    std::vector<double> product_sum;     // [keys] sum_d |q_d|+ |k_jd|+
    std::vector<double> key_sum;         // [keys] sum_d |k_jd|+
    std::vector<double> product_radius;  // [keys] sum_d |q_d| rk + |k_jd| rq + rq rk
    std::vector<double> score;           // [keys] s_j
    std::vector<double> weight;          // [keys] a_j
};

/// The same for one element of the output.
struct ValueFacts {
    double output = 0;              // o
    std::vector<double> value;      // [keys] v_j
    std::vector<double> deviation;  // [keys] |v_j - o|, formed without cancellation
    std::vector<double> radius;     // [keys] of v_j
};

/// The bounds for one query of one head.
class QueryBound {
public:
    QueryBound(const Rounding& rounding, const QueryFacts& facts);

    /// False where a correct program in this arithmetic may overflow, so that nothing can be said.
    bool in_domain() const { return in_domain_; }

    /// Of the output element; infinite where a correct program may overflow on its values.
    double output(const ValueFacts& facts) const;
    /// Of the weight of the n-th visible key.
    double weight(std::size_t n) const { return weight_bounds_[n]; }
    /// Of the sum of the exposed weights, each taken as the number it is.
    double weight_sum() const { return weight_sum_bound_; }

private:
    void bound_exponents(const QueryFacts& facts);
    void bound_weights();
    /// g_j, of a weight that is formed again from the log-sum-exp (weight_bound.cpp).
    std::vector<double> again_exponents() const;

    Rounding rounding_;
    bool in_domain_ = true;
    double keys_ = 0;                   // n
    double merges_ = 0;                 // H
    double rescales_ = 0;               // K
    double largest_score_ = 0;          // M
    double largest_delta_ = 0;          // d*
    double shift_ = 0;                  // sigma
    double shift_factor_ = 1;           // S
    double log_sum_ = 0;                // ell, bounds |log| of any partial sum of weights
    double numerator_roundings_ = 0;    // A_N
    double denominator_roundings_ = 0;  // B_L
    std::vector<double> weight_;        // a_j
    std::vector<double> gap_;           // Delta_j
    std::vector<double> delta_;         // delta_j, the error of a score
    std::vector<double> theta_;         // Theta_j, the error of an exponent
    std::vector<double> merge_;         // h_j, of merges that do not divide
    double theta_max_ = 0;
    std::vector<double> weight_bounds_;
    double weight_sum_bound_ = 0;
};

/// Beyond this exponent error only the hull of the values, and the interval [0, 1] for weights, say
/// anything.
constexpr double theta_hull = 300;

}  // namespace kvcheck
