// SPDX-License-Identifier: Apache-2.0
// The inner loops of the certified evaluation, for vectors without an error of their own: all that
// takes time. Sums in any order are within the certificate, so these run in lanes.
#pragma once

#include <vector>

#include "oracles/error_bound.hpp"

namespace kvcheck {

/// A sum of products, and the same of their sizes.
struct DotSums {
    double sum = 0;   // sum_d x_d y_d
    double size = 0;  // sum_d |x_d y_d|
};
DotSums dot_sums(const double* x, const float* y, std::size_t size);

/// total[d] += weight * value[d].
void add_weighted(double weight, const float* value, std::size_t size, double* total);

/// What one key adds to the sums of every element.
struct KeyShare {
    KeyTerms terms;    // of the bound
    double weight;     // p_j
    double uncertain;  // w_j
};

/// The sums over the visible keys for all elements of one head, [elements] each.
class HeadSums {
public:
    explicit HeadSums(std::size_t size) : size_(size), sums_(lanes * size) {}

    /// Of a key whose values are exact; `output` is o.
    void add(const KeyShare& share, const float* value, const double* output);
    /// Of one element, where a value has a radius and a doubt.
    void add(const KeyShare& share, std::size_t d, double value, double radius, double doubt,
             double output);

    /// The sums for the bound. Where o or the values are in doubt they are not lowered yet.
    ElementSums element(std::size_t d) const;
    double uncertain(std::size_t d) const { return at(d, Lane::uncertain); }  // sum_j w_j |v_j - o|
    double magnitude(std::size_t d) const { return at(d, Lane::magnitude); }  // sum_j p_j |v_j|
    double doubt_max(std::size_t d) const { return at(d, Lane::doubt_max); }  // max_j of v_j's

private:
    enum class Lane {
        perturbed,
        value_sum,
        radius_sum,
        merged_sum,
        hull,
        value_max,
        radius_max,
        value_total,
        deviation_total,
        uncertain,
        magnitude,
        doubt_max,
    };
    static constexpr std::size_t lanes = 12;

    double* lane(Lane which) { return sums_.data() + std::size_t(which) * size_; }
    double at(std::size_t d, Lane which) const { return sums_[std::size_t(which) * size_ + d]; }

    std::size_t size_;
    std::vector<double> sums_;  // [lanes][elements]
};

}  // namespace kvcheck
