// SPDX-License-Identifier: Apache-2.0
// Merging (declared in merge.hpp).
#include "oracles/merge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "oracles/error_bound.hpp"
#include "oracles/number.hpp"

namespace kvcheck {
namespace {

Number value_of(const Answer& answer) { return Number(answer.hi) + Number(answer.lo); }

/// exp(lse - the largest), divided by their sum.
std::vector<Number> weights_of(std::vector<Number> log_sum_exps) {
    const Number largest = *std::max_element(log_sum_exps.begin(), log_sum_exps.end());
    Number sum(0);
    for (Number& weight : log_sum_exps) {
        const Number difference = weight - largest;
        weight = exp(difference);
        sum += weight;
    }
    for (Number& weight : log_sum_exps) weight /= sum;
    return log_sum_exps;
}

}  // namespace

std::vector<double> merged(const std::vector<KeyPart>& parts) {
    std::vector<Number> seen;
    seen.reserve(parts.size());
    for (const KeyPart& part : parts) seen.emplace_back(part.log_sum_exp);
    std::vector<double> nothing(parts.front().output.size(),
                                std::numeric_limits<double>::quiet_NaN());
    for (const KeyPart& part : parts) {
        if (!std::isfinite(part.log_sum_exp)) return nothing;
    }
    const std::vector<Number> weights = weights_of(seen);
    std::vector<double> output;
    for (std::size_t i = 0; i < nothing.size(); ++i) {
        Number sum(0);
        bool is_finite = true;
        for (std::size_t p = 0; p < parts.size(); ++p) {
            is_finite = is_finite && std::isfinite(parts[p].output[i]);
            if (is_finite) sum += weights[p] * Number(parts[p].output[i]);
        }
        output.push_back(is_finite ? sum.convert_to<double>() : nothing[i]);
    }
    return output;
}

std::vector<Answer> bounded_by(const std::vector<KeyPart>& parts,
                               const std::vector<Answer>& whole) {
    std::vector<Number> right;
    double beta = 0;  // no log-sum-exp is further off
    for (const KeyPart& part : parts) {
        right.push_back(value_of(part.right));
        beta = std::max(beta, part.right.bound);
    }
    const std::vector<Number> weights = weights_of(right);
    // A weight is off by a factor within e^(-2 beta) and e^(2 beta).
    const double reach = std::exp(2 * beta);
    const double excess = std::expm1(2 * beta);
    std::vector<Answer> bounded = whole;
    if (!std::isfinite(reach)) {
        // Nothing is known of such weights, as where int8 scores of 1e5 may be off by one code.
        for (Answer& answer : bounded) answer.bound = std::numeric_limits<double>::infinity();
        return bounded;
    }
    for (std::size_t i = 0; i < whole.size(); ++i) {
        double bound = 0;
        for (std::size_t p = 0; p < parts.size(); ++p) {
            const Answer& part = parts[p].right_output[i];
            const double weight = weights[p].convert_to<double>();
            const Number apart = abs(value_of(part) - value_of(whole[i]));
            bound += weight * (reach * part.bound + excess * apart.convert_to<double>());
        }
        // The merge is shown as a double.
        bound += std::numeric_limits<double>::epsilon() / 2 * (std::fabs(whole[i].hi) + bound) +
                 std::numeric_limits<double>::denorm_min();
        // Nothing times a part of which nothing is known is no number.
        bounded[i].bound =
            std::isnan(bound) ? std::numeric_limits<double>::infinity() : enlarged(bound);
    }
    return bounded;
}

}  // namespace kvcheck
