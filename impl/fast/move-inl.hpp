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

#include <cmath>
#include <limits>
#include <type_traits>

#include "impl/fast/kernels.hpp"
#include "impl/fast/tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace kvcheck::fast::HWY_NAMESPACE {

/// How the numbers of one vector become entries. That of int8 is found first, and told.
template <class Entry>
HWY_INLINE auto narrowing(const float* in, Index element, Index width, float* scale) {
    if constexpr (std::is_same_v<Entry, Int8>) {
        float largest = 0;
        for (Index i = 0; i < width; ++i) {
            const float size = std::fabs(in[i * element]);
            if (!(size <= largest)) largest = size;
        }
        // A vector that is not finite becomes NaN by its scale.
        const bool is_finite = largest <= std::numeric_limits<float>::max();
        *scale = is_finite ? largest / int8_most : std::numeric_limits<float>::quiet_NaN();
        return [by = *scale](float x) { return by > 0 ? int8_of(x / by) : Int8{0}; };
    } else {
        return [](float x) { return narrow<Entry>(x); };
    }
}

/// Stores numbers of a key as a column of entries.
template <class Entry, class Narrow>
HWY_INLINE void store_column(const float* key, Index element, Index width, const Narrow& narrow_one,
                             Entry* to) {
    for (Index i = 0; i < width; ++i) to[i * block_slots] = narrow_one(key[i * element]);
}

/// Stores the key of one token.
template <class Entry>
HWY_INLINE void store_key(const HeadBlocks& blocks, Index slot, const float* key, Index element) {
    const Index block = slot / block_slots;
    const Index place = slot % block_slots;
    const auto narrow_one =
        narrowing<Entry>(key, element, blocks.key_width, blocks.key_scales(block) + place);
    store_column(key, element, blocks.key_width, narrow_one, blocks.keys<Entry>(block) + place);
}

/// Stores the keys of four tokens, `token` floats apart and dense, in slots that lie together:
/// squares of 4 x 4 are turned in registers.
HWY_INLINE void store_four_keys(const float* key, Index token, Index width, float* to) {
    Index i = 0;
#if HWY_TARGET != HWY_SCALAR
    const hn::Full128<float> d;
    for (; i + 4 <= width; i += 4) {
        const auto row0 = hn::LoadU(d, key + i);
        const auto row1 = hn::LoadU(d, key + token + i);
        const auto row2 = hn::LoadU(d, key + 2 * token + i);
        const auto row3 = hn::LoadU(d, key + 3 * token + i);
        const auto even = hn::InterleaveLower(d, row0, row2);  // 00 20 01 21
        const auto odd = hn::InterleaveLower(d, row1, row3);   // 10 30 11 31
        const auto even_high = hn::InterleaveUpper(d, row0, row2);
        const auto odd_high = hn::InterleaveUpper(d, row1, row3);
        float* const out = to + i * block_slots;
        hn::Store(hn::InterleaveLower(d, even, odd), d, out);
        hn::Store(hn::InterleaveUpper(d, even, odd), d, out + block_slots);
        hn::Store(hn::InterleaveLower(d, even_high, odd_high), d, out + 2 * block_slots);
        hn::Store(hn::InterleaveUpper(d, even_high, odd_high), d, out + 3 * block_slots);
    }
#endif
    for (Index t = 0; t < 4; ++t) {
        store_column(key + t * token + i, 1, width - i, narrow<float>, to + i * block_slots + t);
    }
}

/// Stores the value of one token.
template <class Entry>
HWY_INLINE void store_value(const HeadBlocks& blocks, Index slot, const float* value,
                            Index element) {
    const Index block = slot / block_slots;
    const Index place = slot % block_slots;
    Entry* const values = blocks.values<Entry>(block);
    const auto narrow_one =
        narrowing<Entry>(value, element, blocks.value_width, blocks.value_scales(block) + place);
    for (Index p = 0; p < panel_count(blocks.value_width); ++p) {
        const Panel<Entry> panel = panel_of(values, block_slots, blocks.value_width, p);
        Entry* const to = panel.data + place * panel.stride;
        if constexpr (std::is_same_v<Entry, float>) {
            if (element == 1) {
                std::copy_n(value, panel.columns, to);
                value += panel.columns;
                continue;
            }
        }
        for (Index i = 0; i < panel.columns; ++i) to[i] = narrow_one(value[i * element]);
        value += panel.columns * element;
    }
}

template <class Entry>
void store(const HeadBlocks& blocks, Index slot, Index count, const Strided<const float>& key,
           const Strided<const float>& value) {
    for (Index t = 0; t < count;) {
        const float* const from = key.data + t * key.token;
        if constexpr (std::is_same_v<Entry, float>) {
            const Index place = (slot + t) % block_slots;
            if (key.element == 1 && place % 4 == 0 && t + 4 <= count) {
                store_four_keys(from, key.token, blocks.key_width,
                                blocks.keys<float>((slot + t) / block_slots) + place);
                t += 4;
                continue;
            }
        }
        store_key<Entry>(blocks, slot + t, from, key.element);
        ++t;
    }
    for (Index t = 0; t < count; ++t) {
        store_value<Entry>(blocks, slot + t, value.data + t * value.token, value.element);
    }
}

/// out = in * factor, both dense.
HWY_INLINE void scale_row(const float* HWY_RESTRICT in, Index width, float factor,
                          float* HWY_RESTRICT out) {
    const Floats d;
    const Vector f = hn::Set(d, factor);
    Index i = 0;
    for (; i + lanes() <= width; i += lanes()) {
        hn::StoreU(hn::Mul(hn::LoadU(d, in + i), f), d, out + i);
    }
    for (; i < width; ++i) out[i] = in[i] * factor;
}

inline void gather(const Strided<const float>& query, Index tokens, Index group, Index width,
                   float factor, float* out) {
    for (Index t = 0; t < tokens; ++t) {
        for (Index head = 0; head < group; ++head) {
            const float* const in = query.data + t * query.token + head * query.head;
            if (query.element == 1) {
                scale_row(in, width, factor, out);
            } else {
                for (Index i = 0; i < width; ++i) out[i] = in[i * query.element] * factor;
            }
            out += width;
        }
    }
}

inline void exp2_all(float* values, Index count) {
    const Floats d;
    for (Index i = 0; i < count; ++i) {
        values[i] = hn::GetLane(exp2_of(hn::Set(d, values[i])));
    }
}

}  // namespace kvcheck::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
