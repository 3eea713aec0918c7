// SPDX-License-Identifier: Apache-2.0
// A dense array of four dimensions with an owner, and the two rearrangements that ONNX's layouts
// ask for. Knows no names and no files.
#pragma once

#include <array>
#include <vector>

#include "model/types/assert.hpp"
#include "model/types/spec.hpp"

namespace kvcheck::vectors {

struct Array4 {
    std::array<Index, 4> extent{};
    std::vector<float> values;

    float at(Index a, Index b, Index c, Index d) const {
        KVCHECK_ASSERT(d < extent[3]);
        return innermost(a, b, c)[d];
    }
    /// The first of the extent[3] elements that only differ in their last index.
    const float* innermost(Index a, Index b, Index c) const {
        KVCHECK_ASSERT(a < extent[0] && b < extent[1] && c < extent[2]);
        return &values[std::size_t(((a * extent[1] + b) * extent[2] + c) * extent[3])];
    }
};

/// (rows, tokens, heads, width) turned to (rows, heads, tokens, width).
inline Array4 heads_first(const Array4& in) {
    Array4 out{{in.extent[0], in.extent[2], in.extent[1], in.extent[3]}, {}};
    for (Index row = 0; row < out.extent[0]; ++row) {
        for (Index head = 0; head < out.extent[1]; ++head) {
            for (Index token = 0; token < out.extent[2]; ++token) {
                for (Index d = 0; d < out.extent[3]; ++d) {
                    out.values.push_back(in.at(row, token, head, d));
                }
            }
        }
    }
    return out;
}

/// The tokens of `past`, then those of `added`, both (rows, heads, tokens, width).
inline Array4 joined(const Array4& past, const Array4& added) {
    Array4 out{past.extent, {}};
    out.extent[2] += added.extent[2];
    for (Index row = 0; row < out.extent[0]; ++row) {
        for (Index head = 0; head < out.extent[1]; ++head) {
            for (const Array4* part : {&past, &added}) {
                for (Index token = 0; token < part->extent[2]; ++token) {
                    for (Index d = 0; d < out.extent[3]; ++d) {
                        out.values.push_back(part->at(row, head, token, d));
                    }
                }
            }
        }
    }
    return out;
}

}  // namespace kvcheck::vectors
