// SPDX-License-Identifier: Apache-2.0
// Stretches: every layout against numbers worked by hand, and all small strides against counting
// the places of the elements one by one.
#include "impl/memory/stretches.hpp"

#include <gtest/gtest.h>

#include <set>

#include "impl/memory/placement.hpp"

namespace kvcheck {
namespace {

using Stretches = std::vector<Stretch>;

Stretches in_layout(const Shape& shape, Layout layout) {
    return stretches_of(shape, placed(shape, layout).stride);
}

TEST(Stretches, OfEveryLayoutAreTheOnesWorkedByHand) {
    const Shape shape = {2, 2, 2, 3};  // rows, tokens, heads, width
    EXPECT_EQ(in_layout(shape, Layout::packed), (Stretches{{0, 24}}));
    EXPECT_EQ(in_layout(shape, Layout::head_major), (Stretches{{0, 24}}));
    EXPECT_EQ(in_layout(shape, Layout::fused), (Stretches{{0, 6}, {18, 6}, {36, 6}, {54, 6}}));
    EXPECT_EQ(in_layout(shape, Layout::gapped),
              (Stretches{{0, 3}, {6, 3}, {15, 3}, {21, 3}, {33, 3}, {39, 3}, {48, 3}, {54, 3}}))
        << "strides 33, 15, 6, 1";
    EXPECT_EQ(in_layout(shape, Layout::broadcast), (Stretches{{0, 3}, {6, 3}, {12, 3}, {18, 3}}));
}

TEST(Stretches, AreJoinedWhereStridesLeadBackAndForth) {
    EXPECT_EQ(stretches_of({3, 3}, {3, 2}), (Stretches{{0, 1}, {2, 7}, {10, 1}}))
        << "0 2 4, 3 5 7, 6 8 10";
    EXPECT_EQ(stretches_of({4, 3}, {1, 1}), (Stretches{{0, 6}})) << "a sliding window";
    EXPECT_EQ(stretches_of({2, 2}, {0, 0}), (Stretches{{0, 1}})) << "one place for all";
}

TEST(Stretches, NoElementHasNoneAndNoDimensionHasOne) {
    EXPECT_EQ(stretches_of({2, 0, 3}, {3, 3, 1}), Stretches{});
    EXPECT_EQ(stretches_of({}, {}), (Stretches{{0, 1}}));
}

/// The places of all elements, one by one.
std::set<Index> places_of(const Shape& shape, const std::array<Index, 4>& stride) {
    std::set<Index> places;
    for (Index i = 0; i < shape.extent[0]; ++i) {
        for (Index j = 0; j < shape.extent[1]; ++j) {
            for (Index k = 0; k < shape.extent[2]; ++k) {
                places.insert(i * stride[0] + j * stride[1] + k * stride[2]);
            }
        }
    }
    return places;
}

void expect_exactly(const Stretches& stretches, const std::set<Index>& places) {
    std::set<Index> covered;
    Index end = -1;
    for (const Stretch& stretch : stretches) {
        ASSERT_GT(stretch.begin, end) << "it overlaps or touches the one before";
        ASSERT_GT(stretch.size, 0);
        end = stretch.end();
        for (Index place = stretch.begin; place < end; ++place) covered.insert(place);
    }
    ASSERT_EQ(covered, places);
}

TEST(Stretches, CoverThePlacesOfTheElementsAndNothingElseForAllSmallStrides) {
    constexpr Index extent_end = 4;
    constexpr Index stride_end = 6;
    constexpr Index choices = extent_end * stride_end;
    for (Index n = 0; n < choices * choices * choices; ++n) {
        Shape shape = {0, 0, 0};
        std::array<Index, 4> stride{};
        Index rest = n;
        for (std::size_t i = 0; i < 3; ++i) {
            shape.extent[i] = rest % extent_end;
            rest /= extent_end;
            stride[i] = rest % stride_end;
            rest /= stride_end;
        }
        expect_exactly(stretches_of(shape, stride), places_of(shape, stride));
        ASSERT_FALSE(HasFatalFailure()) << "extents " << testing::PrintToString(shape.extent)
                                        << ", strides " << testing::PrintToString(stride);
    }
}

TEST(Stretches, NoStrideLeadsBackwards) {
    EXPECT_DEATH(stretches_of({2}, {-1}), "kvcheck has a bug");
}

}  // namespace
}  // namespace kvcheck
