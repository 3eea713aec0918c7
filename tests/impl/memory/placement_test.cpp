// SPDX-License-Identifier: Apache-2.0
// Layouts: strides and spans against numbers worked by hand, and that room is where it is promised.
#include "impl/memory/placement.hpp"

#include <gtest/gtest.h>

namespace kvcheck {
namespace {

using Strides = std::array<Index, 4>;

constexpr std::array<Layout, 5> every_layout = {Layout::packed, Layout::head_major, Layout::fused,
                                                Layout::gapped, Layout::broadcast};

TEST(Placement, StridesOfFourDimensionsAreTheOnesWorkedByHand) {
    const Shape shape = {2, 3, 4, 5};  // rows, tokens, heads, width
    EXPECT_EQ(placed(shape, Layout::packed).stride, (Strides{60, 20, 5, 1}));
    EXPECT_EQ(placed(shape, Layout::head_major).stride, (Strides{60, 5, 15, 1}));
    EXPECT_EQ(placed(shape, Layout::fused).stride, (Strides{180, 60, 5, 1}));
    EXPECT_EQ(placed(shape, Layout::gapped).stride, (Strides{108, 35, 8, 1}))
        << "5 + 3 = 8, 4 * 8 + 3 = 35, 3 * 35 + 3 = 108";
    EXPECT_EQ(placed(shape, Layout::broadcast).stride, (Strides{60, 20, 0, 1}));
}

TEST(Placement, SpansOfFourDimensionsAreTheOnesWorkedByHand) {
    const Shape shape = {2, 3, 4, 5};
    const auto span = [&](Layout layout) { return span_of(shape, placed(shape, layout), 0); };
    EXPECT_EQ(span(Layout::packed), 120);
    EXPECT_EQ(span(Layout::head_major), 120);
    EXPECT_EQ(span(Layout::fused), 320) << "180 + 2 * 60 + 3 * 5 + 4 + 1";
    EXPECT_EQ(span(Layout::gapped), 207) << "108 + 2 * 35 + 3 * 8 + 4 + 1";
    EXPECT_EQ(span(Layout::broadcast), 105) << "60 + 2 * 20 + 0 + 4 + 1";
}

TEST(Placement, WithoutHeadsOnlyFusedAndGappedDifferFromPacked) {
    const Shape shape = {2, 3, 4};
    const Strides packed = {12, 4, 1, 0};
    EXPECT_EQ(placed(shape, Layout::packed).stride, packed);
    EXPECT_EQ(placed(shape, Layout::head_major).stride, packed);
    EXPECT_EQ(placed(shape, Layout::broadcast).stride, packed);
    EXPECT_EQ(placed(shape, Layout::fused).stride, (Strides{36, 12, 1, 0}));
    EXPECT_EQ(placed(shape, Layout::gapped).stride, (Strides{24, 7, 1, 0}))
        << "4 + 3 = 7, 3 * 7 + 3 = 24";
    EXPECT_EQ(span_of(shape, placed(shape, Layout::fused), 0), 64) << "36 + 2 * 12 + 3 + 1";
    EXPECT_EQ(span_of(shape, placed(shape, Layout::gapped), 0), 42) << "24 + 2 * 7 + 3 + 1";
}

TEST(Placement, TwoDimensionsHaveNoTokensToFuse) {
    EXPECT_EQ(placed({3, 4}, Layout::fused).stride, (Strides{4, 1, 0, 0}));
}

TEST(Placement, NoElementSpansNothingAndNoDimensionOneElement) {
    for (const Layout layout : every_layout) {
        const Shape shape = {2, 0, 4, 5};
        EXPECT_EQ(span_of(shape, placed(shape, layout), 0), 0) << name_of(layout);
        EXPECT_EQ(span_of(Shape{}, placed(Shape{}, layout), 0), 1) << name_of(layout);
    }
}

TEST(Placement, RoomIsOneElementMoreInEveryDimension) {
    const Shape shape = {2, 3, 4, 5};
    const Placement packed = placed(shape, Layout::packed, 0, 1);
    EXPECT_EQ(packed.stride, (Strides{120, 30, 6, 1})) << "as if the shape were 3, 4, 5, 6";
    EXPECT_EQ(span_of(shape, packed, 1), 360) << "3 * 4 * 5 * 6";
    const Placement gapped = placed(shape, Layout::gapped, 0, 1);
    EXPECT_EQ(gapped.stride, (Strides{195, 48, 9, 1}))
        << "6 + 3 = 9, 5 * 9 + 3 = 48, 4 * 48 + 3 = 195";
    EXPECT_EQ(span_of(shape, gapped, 1), 576) << "2 * 195 + 3 * 48 + 4 * 9 + 5 + 1";
    EXPECT_EQ(span_of({2, 0}, placed({2, 0}, Layout::packed, 0, 1), 1), 3)
        << "three rows of one element, where the shape has none";
}

TEST(Placement, ALargerViewOfTheSameStridesFitsInTheRoom) {
    const Shape shape = {2, 3, 4, 5};
    const Shape larger = {3, 4, 5, 6};
    for (const Layout layout : every_layout) {
        const Placement roomy = placed(shape, layout, 0, 1);
        EXPECT_EQ(span_of(larger, roomy, 0), span_of(shape, roomy, 1)) << name_of(layout);
        EXPECT_GT(span_of(shape, roomy, 1), span_of(shape, roomy, 0)) << name_of(layout);
    }
}

TEST(Placement, AViewTellsItsStridesAndHowFarItLiesFromABoundary) {
    alignas(64) std::array<std::byte, 256> memory{};
    const Strides stride = {7, 2, 0, 0};
    for (Index offset = 0; offset < 32; ++offset) {
        const InputView single = {
            &memory[std::size_t(offset) * 4], ElementType::f32, {3, 2}, stride};
        EXPECT_EQ(placement_of(single), (Placement{stride, offset % 16}));
        const OutputView wide = {
            &memory[std::size_t(offset) * 8 % 256], ElementType::f64, {3, 2}, stride};
        EXPECT_EQ(placement_of(wide), (Placement{stride, offset % 8}));
    }
    EXPECT_EQ(placed({2, 3}, Layout::packed, 11).offset, 11);
}

TEST(Placement, EveryLayoutHasANameOfItsOwn) {
    EXPECT_EQ(name_of(Layout::packed), "packed");
    EXPECT_EQ(name_of(Layout::head_major), "head-major");
    EXPECT_EQ(name_of(Layout::fused), "fused");
    EXPECT_EQ(name_of(Layout::gapped), "gapped");
    EXPECT_EQ(name_of(Layout::broadcast), "broadcast");
}

}  // namespace
}  // namespace kvcheck
