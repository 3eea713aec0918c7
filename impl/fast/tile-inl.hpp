// SPDX-License-Identifier: Apache-2.0
// The one product that everything here is made of: a few rows times a panel, held in registers.
//
//                      strip: kVectors vectors of columns
//                 b    |  k = 0   |
//                      |    ...   |        one vector load a column vector and k
//                      | depth-1  |
//        a             +----------+
//      row 0  . . . .  | c        |
//        ...           |  in      |        kRows * kVectors multiply-adds for each k
//      row 5  . . . .  | registers|        one broadcast a row and k
//
// 32 registers (AVX-512, NEON) hold 6 x 4 sums, 4 vectors of b and a broadcast; 16 registers (AVX2,
// SSE4) hold 6 x 2. Scores are query rows times keys, outputs are weights times values, projections
// are inputs times matrices. A sum is formed in the order of k, whatever the shape of the tile, so
// a row's bits do not depend on the rows beside it.
#if defined(KVCHECK_FAST_TILE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef KVCHECK_FAST_TILE_INL
#undef KVCHECK_FAST_TILE_INL
#else
#define KVCHECK_FAST_TILE_INL
#endif

#include <hwy/highway.h>

#include "impl/fast/exp2-inl.hpp"
#include "impl/fast/fetch-inl.hpp"
#include "impl/fast/narrow.hpp"
#include "impl/fast/panels.hpp"

HWY_BEFORE_NAMESPACE();
namespace kvcheck::fast::HWY_NAMESPACE {

constexpr int tile_rows = 6;
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_NEON
constexpr int tile_vectors = 4;
#else
constexpr int tile_vectors = 2;
#endif

/// Where the sums of a tile begin: at zero, or at what c holds.
enum class Start { zero, add };

HWY_INLINE HWY_MAYBE_UNUSED Index lanes() { return Index(hn::Lanes(Floats())); }

/// Columns of a right factor, as many as there are lanes, widened.
HWY_INLINE Vector load_columns(const float* b) { return hn::Load(Floats(), b); }

HWY_INLINE Vector load_columns(const Bf16* b) {
    const hn::Rebind<std::uint16_t, Floats> narrow_tag;
    const hn::RebindToUnsigned<Floats> wide_tag;
    const auto bits = hn::Load(narrow_tag, reinterpret_cast<const std::uint16_t*>(b));
    return hn::BitCast(Floats(), hn::ShiftLeft<16>(hn::PromoteTo(wide_tag, bits)));
}

HWY_INLINE Vector load_columns(const Half* b) {
    const hn::Rebind<hwy::float16_t, Floats> narrow_tag;
    return hn::PromoteTo(Floats(),
                         hn::Load(narrow_tag, reinterpret_cast<const hwy::float16_t*>(b)));
}

/// Integers; their scales are applied to the left factor or to the product.
HWY_INLINE Vector load_columns(const Int8* b) {
    const hn::Rebind<std::int8_t, Floats> narrow_tag;
    const hn::RebindToSigned<Floats> wide_tag;
    const auto codes = hn::Load(narrow_tag, reinterpret_cast<const std::int8_t*>(b));
    return hn::ConvertTo(Floats(), hn::PromoteTo(wide_tag, codes));
}

/// The left factor: [kRows][depth], dense along k.
struct Left {
    const float* data;
    Index stride;
};

/// Where the sums of a tile are kept: [kRows][columns].
struct Sums {
    float* data;
    Index stride;
};

template <Start kStart, int kRows, int kVectors>
HWY_INLINE void load_sums(const Sums& c, Vector (&sum)[kRows][kVectors]) {
    const Floats d;
    HWY_UNROLL(8)
    for (int i = 0; i < kRows; ++i) {
        HWY_UNROLL(4)
        for (int v = 0; v < kVectors; ++v) {
            sum[i][v] = kStart == Start::zero ? hn::Zero(d)
                                              : hn::Load(d, c.data + i * c.stride + v * lanes());
        }
    }
}

template <int kRows, int kVectors>
HWY_INLINE void store_sums(const Sums& c, const Vector (&sum)[kRows][kVectors]) {
    const Floats d;
    HWY_UNROLL(8)
    for (int i = 0; i < kRows; ++i) {
        HWY_UNROLL(4)
        for (int v = 0; v < kVectors; ++v) {
            hn::Store(sum[i][v], d, c.data + i * c.stride + v * lanes());
        }
    }
}

/// c (+)= a b for one strip.
template <Start kStart, int kRows, int kVectors, class Entry, class Fetch>
HWY_INLINE void multiply_strip(const Left& a, const Entry* HWY_RESTRICT b, Index stride,
                               Index depth, const Sums& c, const Fetch& ahead) {
    const Floats d;
    Vector sum[kRows][kVectors];
    load_sums<kStart, kRows, kVectors>(c, sum);
    for (Index k = 0; k < depth; ++k) {
        ahead.fetch(k);
        Vector column[kVectors];
        HWY_UNROLL(4)
        for (int v = 0; v < kVectors; ++v) column[v] = load_columns(b + k * stride + v * lanes());
        HWY_UNROLL(8)
        for (int i = 0; i < kRows; ++i) {
            const Vector x = hn::Set(d, a.data[i * a.stride + k]);
            HWY_UNROLL(4)
            for (int v = 0; v < kVectors; ++v) sum[i][v] = hn::MulAdd(x, column[v], sum[i][v]);
        }
    }
    store_sums<kRows, kVectors>(c, sum);
}

/// c += a b for one strip, over the k from `first` on; row i takes part in step k only where bit k
/// of mask[i] is set. A skipped step touches no sum, so b may hold NaN there.
template <int kRows, int kVectors, class Entry>
HWY_INLINE void multiply_strip_masked(const Left& a, const Entry* HWY_RESTRICT b, Index stride,
                                      Index first, Index depth, const std::uint64_t* mask,
                                      const Sums& c) {
    const Floats d;
    Vector sum[kRows][kVectors];
    load_sums<Start::add, kRows, kVectors>(c, sum);
    for (Index k = first; k < depth; ++k) {
        HWY_UNROLL(8)
        for (int i = 0; i < kRows; ++i) {
            if ((mask[i] >> k & 1) == 0) continue;
            const Vector x = hn::Set(d, a.data[i * a.stride + k]);
            HWY_UNROLL(4)
            for (int v = 0; v < kVectors; ++v) {
                const Vector column = load_columns(b + k * stride + v * lanes());
                sum[i][v] = hn::MulAdd(x, column, sum[i][v]);
            }
        }
    }
    store_sums<kRows, kVectors>(c, sum);
}

/// Calls strip.template run<kVectors>(column) for strips that together cover `columns`.
template <class Strip>
HWY_INLINE void for_strips(Index columns, const Strip& strip) {
    Index column = 0;
    Index vectors = (columns + lanes() - 1) / lanes();
    for (; vectors >= tile_vectors; vectors -= tile_vectors) {
        strip.template run<tile_vectors>(column);
        column += tile_vectors * lanes();
    }
    if constexpr (tile_vectors > 2) {
        if (vectors == 3) strip.template run<3>(column);
        if (vectors == 2) strip.template run<2>(column);
    }
    if (vectors == 1) strip.template run<1>(column);
}

template <Start kStart, int kRows, class Entry, class Fetch>
struct ProductStrip {
    Left a;
    Panel<const Entry> b;
    Index depth;
    Sums c;
    Fetch ahead;

    template <int kVectors>
    HWY_INLINE void run(Index column) const {
        multiply_strip<kStart, kRows, kVectors>(a, b.data + column, b.stride, depth,
                                                {c.data + column, c.stride}, ahead);
    }
};

template <int kRows, class Entry>
struct MaskedStrip {
    Left a;
    Panel<const Entry> b;
    Index first, depth;
    const std::uint64_t* mask;
    Sums c;

    template <int kVectors>
    HWY_INLINE void run(Index column) const {
        multiply_strip_masked<kRows, kVectors>(a, b.data + column, b.stride, first, depth, mask,
                                               {c.data + column, c.stride});
    }
};

/// c (+)= a b for the first `columns` columns of a panel. Columns up to the next multiple of the
/// lanes are written as well.
template <Start kStart, int kRows, class Entry, class Fetch = Nothing>
HWY_INLINE void multiply(const Left& a, const Panel<const Entry>& b, Index depth, Index columns,
                         const Sums& c, const Fetch& ahead = {}) {
    for_strips(columns, ProductStrip<kStart, kRows, Entry, Fetch>{a, b, depth, c, ahead});
}

/// Calls tile.template run<kRows>(row) for tiles that together cover `rows`. A tile is a function
/// of its own, not inlined: a call is nothing beside its work, and compilers take minutes over all
/// of them in one.
template <class Tile>
HWY_INLINE void for_tiles(Index rows, const Tile& tile) {
    Index row = 0;
    for (; rows - row >= tile_rows; row += tile_rows) tile.template run<tile_rows>(row);
    switch (rows - row) {
        case 5:
            return tile.template run<5>(row);
        case 4:
            return tile.template run<4>(row);
        case 3:
            return tile.template run<3>(row);
        case 2:
            return tile.template run<2>(row);
        case 1:
            return tile.template run<1>(row);
        default:
            return;
    }
}

}  // namespace kvcheck::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
