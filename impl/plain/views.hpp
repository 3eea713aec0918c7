// SPDX-License-Identifier: Apache-2.0
// One row of a call's arrays as a matrix of the textbook subject, and back.
#pragma once

#include <Eigen/Core>

#include "model/types/view.hpp"

namespace kvcheck {

template <class Scalar>
using RowMatrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// The first `count` tokens of row r of a view [rows][tokens][heads][width], heads beside each
/// other.
template <class Scalar>
RowMatrix<Scalar> read_row(const InputView& view, Index r, Index count) {
    const Index heads = view.shape.extent[2];
    const Index width = view.shape.extent[3];
    RowMatrix<Scalar> values(count, heads * width);
    for (Index t = 0; t < count; ++t) {
        for (Index h = 0; h < heads; ++h) {
            for (Index d = 0; d < width; ++d) {
                values(t, h * width + d) = view.at<Scalar>(r, t, h, d);
            }
        }
    }
    return values;
}

/// Those of a view [rows][tokens][width].
template <class Scalar>
RowMatrix<Scalar> read_x(const InputView& view, Index r, Index count) {
    RowMatrix<Scalar> values(count, view.shape.extent[2]);
    for (Index t = 0; t < count; ++t) {
        for (Index d = 0; d < values.cols(); ++d) values(t, d) = view.at<Scalar>(r, t, d);
    }
    return values;
}

/// Into a view [rows][tokens][width] or [rows][tokens][heads][width].
template <class Scalar>
void write_row(const OutputView& view, Index r, const RowMatrix<Scalar>& values) {
    for (Index t = 0; t < values.rows(); ++t) {
        for (Index i = 0; i < values.cols(); ++i) {
            if (view.shape.rank == 3) {
                view.at<Scalar>(r, t, i) = values(t, i);
            } else {
                const Index width = view.shape.extent[3];
                view.at<Scalar>(r, t, i / width, i % width) = values(t, i);
            }
        }
    }
}

/// One query's weights of one head, those of the slots `keys`; all others are zero.
template <class Scalar>
void write_weights(const OutputView& view, Index r, Index head, Index t,
                   const std::vector<Index>& keys, const std::vector<Scalar>& weights) {
    for (Index slot = 0; slot < view.shape.extent[3]; ++slot) view.at<Scalar>(r, head, t, slot) = 0;
    for (std::size_t n = 0; n < keys.size(); ++n) view.at<Scalar>(r, head, t, keys[n]) = weights[n];
}

}  // namespace kvcheck
