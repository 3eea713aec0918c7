// SPDX-License-Identifier: Apache-2.0
// A projection of the layer, packed into panels once, when the session is opened.
#pragma once

#include "impl/fast/kernels.hpp"
#include "impl/fast/memory.hpp"
#include "impl/fast/panels.hpp"
#include "model/types/parameters.hpp"

namespace kvcheck::fast {

class PackedProjection {
public:
    PackedProjection() = default;
    PackedProjection(const Projection& projection, Index inputs, Index outputs);

    Index outputs() const { return outputs_; }
    Index panels() const { return panel_count(outputs_); }
    /// Multiply-adds for one token.
    Index work() const { return inputs_ * outputs_; }

    /// Computes one panel of outputs for `tokens` tokens: in [tokens][in_stride], out
    /// [tokens][padded(outputs)].
    void apply(const Kernels& kernels, const float* in, Index in_stride, Index tokens, Index panel,
               float* out) const;

private:
    Index inputs_ = 0;
    Index outputs_ = 0;
    Memory weight_;
    Memory bias_;  // empty where there is none
};

}  // namespace kvcheck::fast
