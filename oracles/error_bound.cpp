// SPDX-License-Identifier: Apache-2.0
// The bound of an output (declared in error_bound.hpp). The numbers in parentheses are those of the
// equations of docs/error_bound.md.
#include "oracles/error_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/types/assert.hpp"

namespace kvcheck {
namespace {

/// Beyond this exponent a shifted exp may overflow float; see the domain rule.
constexpr double shift_max = 40;

/// Weights below the normal numbers of double are no upper bounds once they are rounded.
double weight_above(double weight) { return weight + std::numeric_limits<double>::denorm_min(); }

}  // namespace

bool is_close_below(double size, double limit) {
    const double little = std::ldexp(1.0, -10);
    return size < limit && size * (1 + little) >= limit;
}

Rounding::Rounding(const NumericProfile& declared) : profile(declared) {
    validate(declared, "the subject's numeric profile");
    const bool single = declared.digits == 24;
    const double smallest_normal =
        single ? double(std::numeric_limits<float>::min()) : std::numeric_limits<double>::min();
    const double smallest = single ? double(std::numeric_limits<float>::denorm_min()) / 2
                                   : std::numeric_limits<double>::denorm_min();
    u = std::ldexp(1.0, -declared.digits);
    eta = declared.flush_to_zero ? smallest_normal : smallest;
    omega = single ? double(std::numeric_limits<float>::max()) : std::numeric_limits<double>::max();
    exp_rel = 2 * declared.exp_ulps * u;
    exp_abs = smallest_normal;
    log_rel = 2 * declared.log_ulps * u;
    tanh_abs = 2 * declared.tanh_ulps * u;
    divide_rel = 2 * declared.divide_ulps * u;
}

double Rounding::gamma(double n) const {
    KVCHECK_ASSERT(n * u < 1);
    return n * u / (1 - n * u);
}

double Rounding::rescales(double n, double slots) const {
    const double blocks = profile.rescale_block > 0 ? std::ceil(slots / profile.rescale_block) : 0;
    return std::min(n - 1, blocks + profile.merge_levels);
}

double bias_reach(const Spec& spec, const Parameters& parameters, Index query_head,
                  Index query_id) {
    const double slope = std::fabs(double(parameters.slopes[std::size_t(query_head)]));
    return slope * double(spec.sinks ? query_id : std::max(query_id, spec.capacity));
}

double enlarged(double radius) { return radius * (1 + std::ldexp(1.0, -20)); }

double compound(double a, double b) { return a + b + a * b; }

double dot_radius(const Rounding& rounding, const DotFacts& facts) {
    const double roundings = facts.n + (facts.has_bias ? 1 : 0);
    // (1)
    return enlarged(facts.spread + rounding.gamma(roundings) * facts.magnitude +
                    rounding.eta * (2 * facts.n + 2 + facts.weight_sum + facts.input_sum));
}

QueryBound::QueryBound(const Rounding& rounding, const QueryFacts& facts)
    : rounding_(rounding),
      keys_(double(facts.score.size())),
      value_units_(facts.value_units),
      weight_(facts.weight) {
    KVCHECK_ASSERT(!facts.score.empty());
    const NumericProfile& profile = rounding_.profile;
    merges_ = keys_ > 1 ? profile.merge_levels : 0;  // a part without keys merges exactly
    rescales_ = rounding_.rescales(keys_, facts.slots);
    const double divisions = std::expm1(merges_ * std::log1p(rounding_.divide_rel));
    numerator_roundings_ =
        compound(compound(rounding_.gamma(keys_ + rescales_ + 2 * merges_), divisions),
                 profile.weight_error);
    denominator_roundings_ = rounding_.gamma(keys_ - 1 + rescales_ + merges_);
    bound_exponents(facts);
    form_terms(facts);
}

void QueryBound::expect_below(double size, double limit) {
    in_domain_ = in_domain_ && size < limit;
    is_clear_ = is_clear_ && !is_close_below(size, limit);
}

double QueryBound::capped(double delta, double softcap) const {
    // (2')
    return std::min(delta, 2 * softcap) + softcap * (rounding_.tanh_abs + rounding_.gamma(4)) +
           4 * rounding_.eta * std::max(1.0, softcap);
}

double QueryBound::biased(double delta, double score, double bias) const {
    // (2'')
    return delta * (1 + rounding_.u) +
           rounding_.gamma(rounding_.profile.scale_roundings + 2) * 2 * bias +
           rounding_.u * std::fabs(score) + 4 * rounding_.eta;
}

void QueryBound::bound_exponents(const QueryFacts& facts) {
    const NumericProfile& profile = rounding_.profile;
    const double eta = rounding_.eta * std::max(1.0, facts.scale);
    const double relative = compound(rounding_.gamma(facts.key_width + profile.scale_roundings),
                                     profile.score_input_error);
    double top = facts.score[0];
    for (std::size_t j = 0; j < facts.score.size(); ++j) {
        const double product = facts.product_sum[j];
        // (2)
        delta_.push_back(relative * facts.scale * product + facts.scale * facts.product_radius[j] +
                         eta *
                             (facts.query_sum + facts.key_sum[j] + product + facts.key_width + 4));
        const bool is_sink = facts.has_sink && j + 1 == facts.score.size();
        if (facts.softcap > 0 && !is_sink) {
            delta_[j] = capped(delta_[j], facts.softcap);
            // The quotient by the cap, the cap in another base.
            expect_below(3 * std::max(1.0, facts.scale) / facts.softcap, rounding_.omega);
            expect_below(3 * facts.softcap, rounding_.omega);
        }
        const double bias = facts.bias.empty() ? 0 : facts.bias[j];
        if (bias > 0) delta_[j] = biased(delta_[j], facts.score[j], bias);
        largest_delta_ = std::max(largest_delta_, delta_[j]);
        expect_below(3 * (std::fabs(facts.score[j]) + bias), rounding_.omega);
        // A sink far below the keys is forgotten with the first of them.
        constexpr double forgotten = 200;
        const bool counts = !is_sink || j == 0 || facts.score[j] > top - forgotten;
        const double reach = is_sink ? 0 : bias;
        if (counts) largest_score_ = std::max(largest_score_, std::fabs(facts.score[j]) + reach);
        top = std::max(top, facts.score[j]);
        expect_below(1.001 * product, rounding_.omega);
        expect_below(3 * facts.scale * product, rounding_.omega);
        expect_below(1.5 * facts.scale * facts.query_sum, rounding_.omega);
        expect_below(1.5 * facts.scale * facts.key_sum[j], rounding_.omega);
    }
    largest_score_ = std::max(largest_score_ - facts.score_doubt, 0.0);
    const auto keys_end = facts.score.end() - (facts.has_sink && facts.score.size() > 1 ? 1 : 0);
    const double top_key = *std::max_element(facts.score.begin(), keys_end);
    const double difference = rounding_.gamma(profile.difference_roundings);
    const double shift = rounding_.gamma(profile.shift_roundings);
    const double log_slack = std::log(profile.reference_slack);
    const double exp_log = -std::log1p(-rounding_.exp_rel);
    shift_ = shift * (largest_score_ + largest_delta_);
    in_domain_ = in_domain_ && shift_ <= shift_max;
    is_clear_ = is_clear_ && !is_close_below(shift_, shift_max);
    shift_factor_ = std::exp(2 * std::min(shift_, shift_max));
    log_sum_ = std::log(keys_) + log_slack + shift_;
    const double merged = merges_ > 0 ? log_sum_ : 0;
    for (std::size_t j = 0; j < delta_.size(); ++j) {
        gap_.push_back(std::max(top - facts.score[j] - 2 * facts.score_doubt, 0.0));
        // A sink may be taken relative to the largest key.
        const bool is_sink = facts.has_sink && j + 1 == delta_.size();
        if (is_sink && j > 0)
            gap_[j] = std::max(gap_[j], facts.score[j] - top_key - 2 * facts.score_doubt);
        const double path =
            gap_[j] + delta_[j] + largest_delta_ + 2 * log_slack + shift_ + merged;  // G_j
        // (3)
        theta_.push_back(delta_[j] + difference * path + shift_ + shift * merged +
                         (rescales_ + 1) * exp_log + merges_ * rounding_.log_rel * log_sum_ +
                         (rescales_ + 4) * rounding_.eta);
        theta_max_ = std::max(theta_max_, theta_[j]);
        const bool divides = !profile.merge_without_division || merges_ == 0;
        merge_.push_back(divides ? 0
                                 : merges_ * (2 * exp_log + 2 * difference * (gap_[j] + log_sum_) +
                                              shift * (largest_score_ + largest_delta_ + log_sum_) +
                                              rounding_.log_rel * log_sum_));
    }
}

void QueryBound::form_terms(const QueryFacts& facts) {
    const std::vector<double>& most = facts.weight_most.empty() ? facts.weight : facts.weight_most;
    for (std::size_t j = 0; j < theta_.size(); ++j) {
        const double theta = std::min(theta_[j], theta_hull);
        const double weight = weight_above(weight_[j]);
        const double merge = merge_[j] > 0 ? std::expm1(std::min(merge_[j], theta_hull)) : 0;
        const double raise = weight * std::exp(theta);
        terms_.push_back({weight * std::expm1(theta), raise, raise * merge});
        merge_max_ = std::max(merge_max_, merge);
        weight_low_ += most[j] * std::exp(-theta_[j]);
    }
}

double QueryBound::numerator_size(const ElementSums& sums) const {
    return 1.01 * rounding_.profile.reference_slack * shift_factor_ * sums.value_total;
}

double QueryBound::output(const ValueFacts& facts) const {
    ElementSums sums;
    for (std::size_t j = 0; j < terms_.size(); ++j) {
        const KeyTerms& terms = terms_[j];
        const double value = std::fabs(facts.value[j]);
        const double reach = value + facts.radius[j];
        // (4), its numerator
        sums.perturbed += terms.perturb * facts.deviation[j];
        sums.value_sum += terms.raise * value;
        sums.radius_sum += terms.raise * facts.radius[j];
        sums.merged_sum += terms.merge * reach;
        sums.hull = std::max(sums.hull, facts.deviation[j]);
        sums.value_max = std::max(sums.value_max, reach);
        sums.radius_max = std::max(sums.radius_max, facts.radius[j]);
        sums.value_total += reach;
        sums.deviation_total += facts.deviation[j] + facts.radius[j];
    }
    return output(facts.output, sums);
}

double QueryBound::output(double o, const ElementSums& sums) const {
    if (numerator_size(sums) >= rounding_.omega) return std::numeric_limits<double>::infinity();
    const NumericProfile& profile = rounding_.profile;
    const bool only_hull = theta_max_ > theta_hull;
    const auto at_most = [&](double most, double sum) {
        return only_hull ? most : std::min(most, sum / weight_low_);
    };
    const double spread = at_most(sums.radius_max, sums.radius_sum);
    const double merged = at_most(merge_max_ * sums.value_max, sums.merged_sum);
    const double centred = at_most(sums.hull, sums.perturbed);
    const double perturbation = centred + spread + merged;  // P
    const double values =
        (only_hull ? sums.value_max
                   : std::min(sums.value_max, sums.value_sum / weight_low_ + spread)) +
        merged;
    const double reached = std::min(std::fabs(o) + centred + spread, sums.value_max) + merged;
    const double rounded = ((1 + rounding_.divide_rel) *
                                (numerator_roundings_ * values + denominator_roundings_ * reached) +
                            rounding_.divide_rel * values) /
                           (1 - denominator_roundings_);  // R, (5)
    const double n = keys_;
    const double underflow =
        2 * shift_factor_ *
        ((1 + rescales_ * profile.reference_slack) * rounding_.exp_abs *
             (sums.deviation_total + n * perturbation) +
         rounding_.eta * ((1 + value_units_) * n + 2 * rescales_ + 6 + sums.value_total) +
         rounding_.eta * (n + 2 * rescales_ + 4) * reached);  // U, (6)
    return enlarged(perturbation + rounded + underflow);
}

}  // namespace kvcheck
