// SPDX-License-Identifier: Apache-2.0
// Derivatives of many results at once: a vector whose elements are rows of as many numbers as there
// are results. The loops run along a row, so that a compiler makes lanes of them.
#pragma once

#include <cmath>
#include <vector>

#include "oracles/decoder/local_bound.hpp"

namespace kvcheck {

class Columns {
public:
    Columns() = default;
    Columns(std::size_t elements, std::size_t results)
        : results_(results), numbers_(elements * results, 0) {}

    bool empty() const { return numbers_.empty(); }
    std::size_t results() const { return results_; }
    std::size_t elements() const { return numbers_.size() / results_; }
    double* row(std::size_t element) { return numbers_.data() + element * results_; }
    const double* row(std::size_t element) const { return numbers_.data() + element * results_; }

    void add(const Columns& other);
    /// Each element times a factor of its own.
    void scale(const std::vector<double>& factor);
    /// sums[r] += sum_i |row(i)[r]| radius[i]
    void weigh(const Radii& radius, std::vector<double>& sums) const;

private:
    std::size_t results_ = 1;
    std::vector<double> numbers_;
};

/// From derivatives by W in + b to those by `in`: W^T out. `width` is the extent of `in`.
Columns transposed_product(const std::vector<float>& weight, std::size_t width, const Columns& out);

}  // namespace kvcheck
