// SPDX-License-Identifier: Apache-2.0
// Arrays [rows][tokens][heads][width] of floats with any strides: views of a call, or the work
// arrays of a layer, whose tokens stand in one line.
#pragma once

#include "impl/fast/kernels.hpp"
#include "impl/subject.hpp"

namespace kvcheck::fast {

template <class Float>
struct Array {
    Float* data;
    Index row;
    Index token;
    Index head;
    Index element;

    Array<const float> constant() const { return {data, row, token, head, element}; }

    /// The tokens of a row from `first` on, from `first_head` on.
    Strided<Float> at(Index row_number, Index first, Index first_head) const {
        return {data + row_number * row + first * token + first_head * head, token, head, element};
    }
};

inline Array<const float> array_of(const InputView& view) {
    return {reinterpret_cast<const float*>(view.data), view.stride[0], view.stride[1],
            view.stride[2], view.stride[3]};
}
inline Array<float> array_of(const OutputView& view) {
    return {reinterpret_cast<float*>(view.data), view.stride[0], view.stride[1], view.stride[2],
            view.stride[3]};
}

/// A dense array of tokens, `stride` floats from one to the next.
template <class Float>
Array<Float> array_of_tokens(Float* data, Index stride, Index width) {
    return {data, 0, stride, width, 1};
}

}  // namespace kvcheck::fast
