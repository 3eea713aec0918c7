// SPDX-License-Identifier: Apache-2.0
// The load step and the store step: between arrays of the caller, with any strides, and the forms
// that the tiles read. Keys are turned as they are stored:
//
//      token   k[0] k[1] k[2] ...        block   row 0: ... k[0] ...
//                                                row 1: ... k[1] ...     64 floats apart
#if defined(KVCHECK_FAST_MOVE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef KVCHECK_FAST_MOVE_INL
#undef KVCHECK_FAST_MOVE_INL
#else
#define KVCHECK_FAST_MOVE_INL
#endif

#include "impl/fast/kernels.hpp"
#include "impl/fast/tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kvcheck::fast::HWY_NAMESPACE {

void store(const HeadBlocks& blocks, Index slot, Index count, const Strided<const float>& key,
           const Strided<const float>& value) {
    for (Index t = 0; t < count; ++t, ++slot) {
        const Index block = slot / block_slots;
        const Index place = slot % block_slots;
        float* const keys = blocks.keys(block) + place;
        const float* const k = key.data + t * key.token;
        for (Index i = 0; i < blocks.key_width; ++i) keys[i * block_slots] = k[i * key.element];
        const float* v = value.data + t * value.token;
        for (Index panel = 0; panel < panel_count(blocks.value_width); ++panel) {
            const Panel<float> to =
                panel_of(blocks.values(block), block_slots, blocks.value_width, panel);
            float* const out = to.data + place * to.stride;
            for (Index i = 0; i < to.columns; ++i, v += value.element) out[i] = *v;
        }
    }
}

void gather(const Strided<const float>& query, Index tokens, Index group, Index width, float factor,
            float* out) {
    for (Index t = 0; t < tokens; ++t) {
        for (Index head = 0; head < group; ++head) {
            const float* const in = query.data + t * query.token + head * query.head;
            if (query.element == 1) {
                for (Index i = 0; i < width; ++i) out[i] = in[i] * factor;
            } else {
                for (Index i = 0; i < width; ++i) out[i] = in[i * query.element] * factor;
            }
            out += width;
        }
    }
}

void exp2_all(float* values, Index count) {
    const Floats d;
    for (Index i = 0; i < count; ++i) {
        values[i] = hn::GetLane(exp2_of(hn::Set(d, values[i])));
    }
}

}  // namespace kvcheck::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
