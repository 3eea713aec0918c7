// SPDX-License-Identifier: Apache-2.0
// What a layer adds around attention (clause 5 and the layer level of docs/contract.md), as plain
// loops over any scalar type: the position signal on the input, and projections with optional bias.
#pragma once

#include <vector>

#include "model/types/parameters.hpp"

namespace kvcheck {

/// x plus the position table's row `id`, or x where there is no position signal.
template <class Scalar>
std::vector<Scalar> add_position(const Spec& spec, const Parameters& parameters,
                                 const std::vector<Scalar>& x, Index id) {
    std::vector<Scalar> sum = x;
    if (spec.position_signal == PositionSignal::none) return sum;
    for (std::size_t d = 0; d < sum.size(); ++d) {
        sum[d] += Scalar(parameters.position_table[std::size_t(id) * sum.size() + d]);
    }
    return sum;
}

/// W in + b.
template <class Scalar>
std::vector<Scalar> project(const Projection& projection, const std::vector<Scalar>& in) {
    std::vector<Scalar> out;
    const std::size_t width = in.size();
    for (std::size_t row = 0; row < projection.weight.size() / width; ++row) {
        Scalar sum(projection.bias.empty() ? 0.0F : projection.bias[row]);
        for (std::size_t d = 0; d < width; ++d) {
            sum += Scalar(projection.weight[row * width + d]) * in[d];
        }
        out.push_back(sum);
    }
    return out;
}

}  // namespace kvcheck
