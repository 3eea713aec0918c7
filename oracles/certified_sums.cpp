// SPDX-License-Identifier: Apache-2.0
// The inner loops (declared in certified_sums.hpp). Written so that a compiler sees lanes without
// leave to reorder: each lane has a sum of its own.
#include "oracles/certified_sums.hpp"

#include <cmath>

namespace kvcheck {

DotSums dot_sums(const double* x, const float* y, std::size_t size) {
    constexpr std::size_t lanes = 8;
    double sum[lanes] = {};
    double total[lanes] = {};
    std::size_t d = 0;
    for (; d + lanes <= size; d += lanes) {
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            const double product = x[d + lane] * double(y[d + lane]);
            sum[lane] += product;
            total[lane] += std::fabs(product);
        }
    }
    DotSums result;
    for (; d < size; ++d) {
        const double product = x[d] * double(y[d]);
        result.sum += product;
        result.size += std::fabs(product);
    }
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        result.sum += sum[lane];
        result.size += total[lane];
    }
    return result;
}

void add_weighted(double weight, const float* __restrict value, std::size_t size,
                  double* __restrict total) {
    for (std::size_t d = 0; d < size; ++d) total[d] += weight * double(value[d]);
}

namespace {

/// The lanes of `elements` elements, each a sum of its own. A function of its own, so that a
/// compiler knows that they do not overlap.
void add_lanes(const KeyShare& share, const float* __restrict value,
               const double* __restrict output, std::size_t elements, double* __restrict perturbed,
               double* __restrict value_sum, double* __restrict merged_sum, double* __restrict hull,
               double* __restrict value_max, double* __restrict value_total,
               double* __restrict deviation_total, double* __restrict uncertain,
               double* __restrict magnitude) {
    const auto [perturb, raise, merge] = share.terms;
    const double weight = share.weight;
    const double doubtful = share.uncertain;
    for (std::size_t d = 0; d < elements; ++d) {
        const double deviation = std::fabs(double(value[d]) - output[d]);
        const double size = std::fabs(double(value[d]));
        perturbed[d] += perturb * deviation;
        value_sum[d] += raise * size;
        merged_sum[d] += merge * size;
        hull[d] = hull[d] > deviation ? hull[d] : deviation;
        value_max[d] = value_max[d] > size ? value_max[d] : size;
        value_total[d] += size;
        deviation_total[d] += deviation;
        uncertain[d] += doubtful * deviation;
        magnitude[d] += weight * size;
    }
}

}  // namespace

void HeadSums::add(const KeyShare& share, const float* value, const double* output) {
    add_lanes(share, value, output, size_, lane(Lane::perturbed), lane(Lane::value_sum),
              lane(Lane::merged_sum), lane(Lane::hull), lane(Lane::value_max),
              lane(Lane::value_total), lane(Lane::deviation_total), lane(Lane::uncertain),
              lane(Lane::magnitude));
}

void HeadSums::add(const KeyShare& share, std::size_t d, double value, double radius, double doubt,
                   double output) {
    const double deviation = std::fabs(value - output);
    const double size = std::max(std::fabs(value) - doubt, 0.0);
    const auto raise_to = [&](Lane which, double most) {
        double& sum = lane(which)[d];
        sum = std::max(sum, most);
    };
    lane(Lane::perturbed)[d] += share.terms.perturb * deviation;
    lane(Lane::value_sum)[d] += share.terms.raise * size;
    lane(Lane::radius_sum)[d] += share.terms.raise * radius;
    lane(Lane::merged_sum)[d] += share.terms.merge * (size + radius);
    raise_to(Lane::hull, deviation);
    raise_to(Lane::value_max, size + radius);
    raise_to(Lane::radius_max, radius);
    lane(Lane::value_total)[d] += size + radius;
    lane(Lane::deviation_total)[d] += deviation + radius;
    lane(Lane::uncertain)[d] += share.uncertain * deviation;
    lane(Lane::magnitude)[d] += share.weight * std::fabs(value);
    raise_to(Lane::doubt_max, doubt);
}

ElementSums HeadSums::element(std::size_t d) const {
    return {.perturbed = at(d, Lane::perturbed),
            .value_sum = at(d, Lane::value_sum),
            .radius_sum = at(d, Lane::radius_sum),
            .merged_sum = at(d, Lane::merged_sum),
            .hull = at(d, Lane::hull),
            .value_max = at(d, Lane::value_max),
            .radius_max = at(d, Lane::radius_max),
            .value_total = at(d, Lane::value_total),
            .deviation_total = at(d, Lane::deviation_total)};
}

}  // namespace kvcheck
