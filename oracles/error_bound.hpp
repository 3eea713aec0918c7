// SPDX-License-Identifier: Apache-2.0
// How far a correct program may be from the exact answer: the only birthplace of tolerances.
// docs/error_bound.md derives every formula in the symbols used here. All radii are evaluated in
// double and enlarged by 1 + 2^-20, which pays for that evaluation.
// Not covered: directed rounding, products that are not sums in some order (Strassen, Winograd),
// weights that enter the numerator and the denominator of the softmax differently.
#pragma once

#include <vector>

#include "model/types/numeric_profile.hpp"
#include "model/types/parameters.hpp"
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
    double tanh_abs;  // of tanh in a softcap
    double divide_rel;
    NumericProfile profile;

    explicit Rounding(const NumericProfile& profile);

    /// n u / (1 - n u): the error of a product of n factors 1 + d, |d| <= u (Higham).
    double gamma(double n) const;
    /// Rescalings on the path of one of n visible keys among `slots` slots.
    double rescales(double n, double slots) const;
};

/// B, what a program may add to a score of this head for its distance (docs/error_bound.md, (2'')).
/// Without a sink a softmax does not change by what is added to all scores, so the distance may be
/// counted from any slot of the row.
double bias_reach(const Spec& spec, const Parameters& parameters, Index query_head, Index query_id);

/// The radii are enlarged by this factor after their evaluation in double.
double enlarged(double radius);

/// (1 + a)(1 + b) - 1, without adding to 1 what a double loses there: u of a double subject is half
/// a unit in the last place of 1.
double compound(double a, double b);

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

/// What the bound reads of one query of one head; [keys] runs over the visible keys and the sink,
/// if there is one, a key without product and value. |x|+ is |x| plus the radius of x; radii are
/// zero where inputs are exact.
struct QueryFacts {
    double slots = 0;                    // N, up to the query's own, seen or not
    double key_width = 0;                // D
    double scale = 0;                    // |scale|
    double softcap = 0;                  // c; 0 where there is none
    double query_sum = 0;                // sum_d |q_d|+
    std::vector<double> product_sum;     // [keys] sum_d |q_d|+ |k_jd|+
    std::vector<double> key_sum;         // [keys] sum_d |k_jd|+
    std::vector<double> product_radius;  // [keys] sum_d |q_d| rk + |k_jd| rq + rq rk
    std::vector<double> bias;            // [keys] B_j, what may be added to s_j; empty: nothing
    bool has_sink = false;               // the last of the keys is a sink
    std::vector<double> score;           // [keys] s_j, capped and biased
    std::vector<double> weight;          // [keys] a_j, or a lower bound of it
    std::vector<double> weight_most;     // [keys] an upper bound of a_j; empty: the weight itself
    double score_doubt = 0;              // how far a score may be from s_j
    double value_units = 1;  // what a weight that underflowed may be multiplied by: 127 in int8
};

/// The same for one element of the output.
struct ValueFacts {
    double output = 0;              // o
    std::vector<double> value;      // [keys] v_j
    std::vector<double> deviation;  // [keys] |v_j - o|, formed without cancellation
    std::vector<double> radius;     // [keys] of v_j
};

/// What one key contributes to the sums of every element.
struct KeyTerms {
    double perturb = 0;  // a_j (e^Theta_j - 1)
    double raise = 0;    // a_j e^Theta_j
    double merge = 0;    // a_j e^Theta_j (e^h_j - 1)
};

/// What the bound of an element needs of its values: sums and maxima over the visible keys.
struct ElementSums {
    double perturbed = 0;        // sum_j a_j (e^Theta_j - 1) |v_j - o|
    double value_sum = 0;        // sum_j a_j e^Theta_j |v_j|
    double radius_sum = 0;       // sum_j a_j e^Theta_j r_j
    double merged_sum = 0;       // sum_j a_j e^Theta_j (e^h_j - 1) |v_j|+
    double hull = 0;             // max_j |v_j - o|
    double value_max = 0;        // max_j |v_j|+
    double radius_max = 0;       // max_j r_j
    double value_total = 0;      // sum_j |v_j|+
    double deviation_total = 0;  // sum_j |v_j - o| + r_j
};

/// The bounds of the exposed weights of a query of one head.
struct WeightBounds {
    std::vector<double> each;  // [keys]
    double sum = 0;            // of the sum of the exposed weights, each taken as the number it is
};

/// The bounds for one query of one head. All of them grow with every fact but `weight_most`: from
/// lower bounds of the facts (upper ones of `weight_most`) come lower bounds of the bounds of
/// outputs.
class QueryBound {
public:
    QueryBound(const Rounding& rounding, const QueryFacts& facts);

    /// False where a correct program in this arithmetic may overflow, so that nothing can be said.
    bool in_domain() const { return in_domain_; }
    /// False where facts that are a little larger would decide that otherwise.
    bool is_clear() const { return is_clear_; }

    /// [keys]
    const std::vector<KeyTerms>& terms() const { return terms_; }
    /// What the numerator before the division may reach, with a reserve; the element is outside the
    /// domain where this is no finite number of the format.
    double numerator_size(const ElementSums& sums) const;
    /// Of the output element, whose value is o; infinite outside the domain.
    double output(double o, const ElementSums& sums) const;
    double output(const ValueFacts& facts) const;
    WeightBounds weights() const;
    /// Of the log-sum-exp: b of section 10.
    double log_sum_exp() const;

private:
    void bound_exponents(const QueryFacts& facts);
    /// The error of a capped score from that of the score.
    double capped(double delta, double softcap) const;
    /// The error of a sum from those of a score and of what is added to it.
    double biased(double delta, double score, double bias) const;
    void form_terms(const QueryFacts& facts);
    void expect_below(double size, double limit);
    /// g_j, of a weight that is formed again from the log-sum-exp (weight_bound.cpp).
    std::vector<double> again_exponents() const;
    double log_sum_exp_from_sum() const;  // b_0

    Rounding rounding_;
    bool in_domain_ = true;
    bool is_clear_ = true;
    double keys_ = 0;  // n
    double value_units_ = 1;
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
    std::vector<KeyTerms> terms_;
    double weight_low_ = 0;  // sum_k a_k e^-Theta_k
    double merge_max_ = 0;   // max_j e^h_j - 1
};

/// True where a size that is a little larger would be on the other side of the limit.
bool is_close_below(double size, double limit);

/// Beyond this exponent error only the hull of the values, and the interval [0, 1] for weights, say
/// anything.
constexpr double theta_hull = 300;

}  // namespace kvcheck
