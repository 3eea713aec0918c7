// SPDX-License-Identifier: Apache-2.0
// Weights packed for the tile (declared in projection.hpp).
#include "impl/fast/projection.hpp"

namespace kvcheck::fast {

PackedProjection::PackedProjection(const Projection& projection, Index inputs, Index outputs)
    : inputs_(inputs),
      outputs_(outputs),
      weight_(inputs * padded(outputs)),
      bias_(projection.bias.empty() ? 0 : padded(outputs)) {
    std::fill_n(weight_.data(), weight_.size(), 0.0F);
    for (Index out = 0; out < outputs; ++out) {
        const Panel<float> panel = panel_of(weight_.data(), inputs, outputs, out / panel_columns);
        for (Index in = 0; in < inputs; ++in) {
            panel.data[in * panel.stride + out % panel_columns] =
                projection.weight[std::size_t(out * inputs + in)];
        }
    }
    if (bias_.size() == 0) return;
    std::fill_n(bias_.data(), bias_.size(), 0.0F);
    std::copy(projection.bias.begin(), projection.bias.end(), bias_.data());
}

void PackedProjection::apply(const Kernels& kernels, const float* in, Index in_stride, Index tokens,
                             Index panel, float* out) const {
    const Panel<float> weight = panel_of(weight_.data(), inputs_, outputs_, panel);
    const Index column = panel * panel_columns;
    kernels.project(in, in_stride, tokens, inputs_, weight.data, weight.stride, weight.columns,
                    bias_.size() == 0 ? nullptr : bias_.data() + column, out + column,
                    padded(outputs_));
}

}  // namespace kvcheck::fast
