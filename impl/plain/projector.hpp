// SPDX-License-Identifier: Apache-2.0
// A projection of the textbook layer.
#pragma once

#include <Eigen/Core>

#include "model/types/parameters.hpp"

namespace kvcheck {

/// out = W in + b, for every token of a chunk at once.
template <class Scalar>
struct Projector {
    using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

    Matrix weight;                                  // [out][in]
    Eigen::Matrix<Scalar, Eigen::Dynamic, 1> bias;  // [out] or empty

    Projector(const Projection& projection, Index width)
        : weight(Eigen::Map<const Eigen::Matrix<float, -1, -1, Eigen::RowMajor>>(
                     projection.weight.data(), Index(projection.weight.size()) / width, width)
                     .template cast<Scalar>()),
          bias(Eigen::Map<const Eigen::VectorXf>(projection.bias.data(),
                                                 Index(projection.bias.size()))
                   .template cast<Scalar>()) {}

    Matrix operator()(const Matrix& in) const {
        Matrix out = in * weight.transpose();
        if (bias.size() > 0) out.rowwise() += bias.transpose();
        return out;
    }
};

}  // namespace kvcheck
