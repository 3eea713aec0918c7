// SPDX-License-Identifier: Apache-2.0
// Fetching what will be needed soon into the second cache while sums are formed: memory in one
// piece, line by line beside a product, and rows of a caller's arrays, some beside each tile.
#if defined(KVCHECK_FAST_FETCH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef KVCHECK_FAST_FETCH_INL
#undef KVCHECK_FAST_FETCH_INL
#else
#define KVCHECK_FAST_FETCH_INL
#endif

#include <algorithm>

#include <hwy/highway.h>

#include "impl/fast/kernels.hpp"
#include "impl/fast/memory.hpp"

HWY_BEFORE_NAMESPACE();
namespace kvcheck::fast::HWY_NAMESPACE {

HWY_INLINE void fetch_line(const float* data) { __builtin_prefetch(data, 0, 2); }

/// Memory in one piece: kLines lines for each step of a product. A step of zero fetches the same
/// line again and again.
template <int kLines>
struct Ahead {
    static constexpr int lines = kLines;
    const float* data;
    Index step;

    HWY_INLINE void fetch(Index k) const {
        HWY_UNROLL(4)
        for (int line = 0; line < kLines; ++line) {
            fetch_line(data + (k * kLines + line) * step);
        }
    }
};

/// Nothing is fetched.
struct Nothing {
    HWY_INLINE void fetch(Index) const {}
};

/// Rows of a caller's arrays, which lie apart and mostly on pages of their own. They are shared out
/// over `visits`.
class UpcomingRows {
public:
    HWY_INLINE UpcomingRows(const Upcoming (&upcoming)[2], Index visits)
        : array_(upcoming), arrays_end_(upcoming + 2) {
        Index rows = 0;
        for (const Upcoming& array : upcoming) rows += array.tokens * array.group;
        const Index shares =
            std::max<Index>(1, visits);  // a piece may have no block for these rows
        share_ = (rows + shares - 1) / shares;
    }

    HWY_INLINE void fetch_share() {
        for (Index row = 0; row < share_ && find(); ++row) {
            const Strided<const float>& rows = array_->rows;
            const float* const data = rows.data + token_ * rows.token + head_ * rows.head;
            for (Index i = 0; i < array_->width; i += cache_line_floats) fetch_line(data + i);
            if (++head_ < array_->group) continue;
            head_ = 0;
            ++token_;
        }
    }

private:
    /// Goes on to the array that has a row left.
    HWY_INLINE bool find() {
        while (array_ != arrays_end_ && token_ == array_->tokens) {
            ++array_;
            token_ = 0;
        }
        return array_ != arrays_end_;
    }

    const Upcoming* array_;
    const Upcoming* arrays_end_;
    Index share_;
    Index token_ = 0;
    Index head_ = 0;
};

}  // namespace kvcheck::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
