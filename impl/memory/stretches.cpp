// SPDX-License-Identifier: Apache-2.0
// Which bytes the elements of an array cover (declared in stretches.hpp).
#include "impl/memory/stretches.hpp"

#include <algorithm>

namespace kvcheck {
namespace {

struct Dimension {
    Index extent = 1;
    Index stride = 0;
};

/// Joins stretches of one size that overlap or touch. They are sorted first: strides shorter than
/// what they step over lead back and forth.
void join(std::vector<Stretch>& stretches) {
    std::ranges::sort(stretches, {}, &Stretch::begin);
    std::size_t last = 0;
    for (std::size_t i = 1; i < stretches.size(); ++i) {
        if (stretches[i].begin > stretches[last].end()) {
            stretches[++last] = stretches[i];
        } else {
            stretches[last].size = stretches[i].end() - stretches[last].begin;
        }
    }
    stretches.resize(last + 1);
}

}  // namespace

std::vector<Stretch> stretches_of(const Shape& shape, const std::array<Index, 4>& stride) {
    std::array<Dimension, 4> dimensions{};
    for (std::size_t i = 0; i < std::size_t(shape.rank); ++i) {
        KVCHECK_ASSERT(stride[i] >= 0);
        if (shape.extent[i] == 0) return {};
        // One step of length 0 reaches no further place; neither do many.
        if (shape.extent[i] > 1 && stride[i] > 0) dimensions[i] = {shape.extent[i], stride[i]};
    }
    std::ranges::sort(dimensions, {}, &Dimension::stride);

    // Inwards to outwards: a step no longer than the stretch leaves no hole, so that the stretch
    // grows.
    Index size = 1;
    std::size_t first = 0;
    for (; first < dimensions.size() && dimensions[first].stride <= size; ++first) {
        size += (dimensions[first].extent - 1) * dimensions[first].stride;
    }

    std::vector<Stretch> stretches = {{0, size}};
    Index span = size;
    bool overlap = false;
    for (std::size_t i = first; i < dimensions.size(); ++i) {
        // What there is already is repeated at every step.
        const auto [extent, step] = dimensions[i];
        overlap = overlap || step <= span;
        span += (extent - 1) * step;
        const std::size_t block = stretches.size();
        stretches.reserve(block * std::size_t(extent));
        for (Index k = 1; k < extent; ++k) {
            for (std::size_t j = 0; j < block; ++j) {
                stretches.push_back({stretches[j].begin + k * step, size});
            }
        }
    }
    if (overlap) join(stretches);
    return stretches;
}

}  // namespace kvcheck
