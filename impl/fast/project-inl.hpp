// SPDX-License-Identifier: Apache-2.0
// A projection, one panel of its outputs at a time, six tokens a tile:
//
//      out [6][64]  =  bias [64]  +  in [6][inputs] x weight [inputs][64]
//
// The matrix is packed into panels when the session is opened. For one token the time is that of
// reading the matrix once.
#if defined(KVCHECK_FAST_PROJECT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef KVCHECK_FAST_PROJECT_INL
#undef KVCHECK_FAST_PROJECT_INL
#else
#define KVCHECK_FAST_PROJECT_INL
#endif

#include "impl/fast/tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kvcheck::fast::HWY_NAMESPACE {

struct ProjectTile {
    Left in;
    Panel<const float> weight;
    Index inputs;
    const float* bias;
    Sums out;

    template <int kRows>
    HWY_NOINLINE void run(Index row) const {
        const Left left{in.data + row * in.stride, in.stride};
        const Sums sums{out.data + row * out.stride, out.stride};
        if (bias == nullptr) {
            return multiply<Start::zero, kRows>(left, weight, inputs, weight.columns, sums);
        }
        for (int i = 0; i < kRows; ++i) {
            std::copy_n(bias, weight.columns, sums.data + i * sums.stride);
        }
        multiply<Start::add, kRows>(left, weight, inputs, weight.columns, sums);
    }
};

inline void project(const float* in, Index in_stride, Index rows, Index inputs, const float* weight,
                    Index stride, Index columns, const float* bias, float* out, Index out_stride) {
    for_tiles(
        rows,
        ProjectTile{{in, in_stride}, {weight, stride, columns}, inputs, bias, {out, out_stride}});
}

}  // namespace kvcheck::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
