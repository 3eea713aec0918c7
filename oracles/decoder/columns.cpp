// SPDX-License-Identifier: Apache-2.0
// Loops over derivatives (declared in columns.hpp); nearly all time of the adjoint bound is spent
// here.
#include "oracles/decoder/columns.hpp"

#include <algorithm>
#include <array>

namespace kvcheck {

void Columns::add(const Columns& other) {
    for (std::size_t i = 0; i < numbers_.size(); ++i) numbers_[i] += other.numbers_[i];
}

void Columns::scale(const std::vector<double>& factor) {
    for (std::size_t element = 0; element < factor.size(); ++element) {
        double* const numbers = row(element);
        for (std::size_t r = 0; r < results_; ++r) numbers[r] *= factor[element];
    }
}

void Columns::weigh(const Radii& radius, std::vector<double>& sums) const {
    for (std::size_t element = 0; element < radius.size(); ++element) {
        const double* const numbers = row(element);
        if (std::isinf(radius[element])) {  // also where the derivative is zero
            std::fill(sums.begin(), sums.end(), radius[element]);
            continue;
        }
        for (std::size_t r = 0; r < results_; ++r) {
            sums[r] += std::fabs(numbers[r]) * radius[element];
        }
    }
}

Columns transposed_product(const std::vector<float>& weight, std::size_t width,
                           const Columns& out) {
    constexpr std::size_t lanes = 16;  // results that are summed in registers
    const std::size_t results = out.results();
    Columns in(width, results);
    for (std::size_t begin = 0; begin < results; begin += lanes) {
        const std::size_t count = std::min(lanes, results - begin);
        for (std::size_t d = 0; d < width; ++d) {
            std::array<double, lanes> sums{};
            if (count == lanes) {
                for (std::size_t o = 0; o < out.elements(); ++o) {
                    const double w = weight[o * width + d];
                    const double* const from = out.row(o) + begin;
                    for (std::size_t r = 0; r < lanes; ++r) sums[r] += w * from[r];
                }
            } else {
                for (std::size_t o = 0; o < out.elements(); ++o) {
                    const double w = weight[o * width + d];
                    const double* const from = out.row(o) + begin;
                    for (std::size_t r = 0; r < count; ++r) sums[r] += w * from[r];
                }
            }
            std::copy_n(sums.begin(), count, in.row(d) + begin);
        }
    }
    return in;
}

}  // namespace kvcheck
