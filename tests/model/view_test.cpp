// SPDX-License-Identifier: Apache-2.0
// Strided views: shapes, and which element an index names.
#include "model/types/view.hpp"

#include <gtest/gtest.h>

#include <array>
#include <type_traits>

namespace kvcheck {
namespace {

template <class Scalar, std::size_t size>
OutputView view_of(std::array<Scalar, size>& numbers, Shape shape, std::array<Index, 4> stride) {
    const auto type = sizeof(Scalar) == 4 ? ElementType::f32 : ElementType::f64;
    return {reinterpret_cast<std::byte*>(numbers.data()), type, shape, stride};
}

TEST(Shape, CountsElements) {
    EXPECT_EQ((Shape{2, 3, 4}).size(), 24);
    EXPECT_EQ((Shape{2, 0, 4, 5}).size(), 0);
    EXPECT_EQ(Shape{}.size(), 1) << "a single number";
    EXPECT_NE((Shape{2, 3}), (Shape{2, 3, 1})) << "an absent extent is not 1";
}

TEST(View, StridesCountElements) {
    std::array<float, 12> numbers{};
    for (std::size_t n = 0; n < numbers.size(); ++n) numbers[n] = float(n);
    const OutputView rows = view_of(numbers, {3, 2}, {4, 1});
    EXPECT_EQ(rows.at<float>(2, 1), 9);
    const OutputView columns = view_of(numbers, {2, 3}, {1, 4});
    EXPECT_EQ(columns.at<float>(1, 2), 9);
    columns.at<float>(1, 2) = -1;
    EXPECT_EQ(numbers[9], -1);
}

TEST(View, DoublesAreEightBytesWide) {
    std::array<double, 4> numbers = {1, 2, 3, 4};
    EXPECT_EQ(view_of(numbers, {2, 2}, {2, 1}).at<double>(1, 0), 3);
    EXPECT_EQ(size_of(ElementType::f64), sizeof(double));
    EXPECT_EQ(size_of(ElementType::f32), sizeof(float));
}

TEST(View, AnInputIsReadOnly) {
    static_assert(
        std::is_const_v<std::remove_reference_t<decltype(std::declval<InputView>().at<float>(0))>>);
}

TEST(ViewDeathTest, AWrongRankOrTypeIsOurOwnBug) {
    std::array<float, 4> numbers{};
    const OutputView view = view_of(numbers, {2, 2}, {2, 1});
    EXPECT_DEATH(view.at<float>(1), "kvcheck has a bug");
    EXPECT_DEATH(view.at<double>(1, 1), "kvcheck has a bug");
    EXPECT_DEATH((Shape{1, 2, 3, 4, 5}), "kvcheck has a bug");
}

}  // namespace
}  // namespace kvcheck
