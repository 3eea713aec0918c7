// SPDX-License-Identifier: Apache-2.0
// What a guarded array holds: poison where nobody has written, other NaN around it, and the numbers
// that were written, one at a time or many.
#include "tests/impl/memory/every_array.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <span>
#include <vector>

namespace kvcheck {
namespace {

class ContentsOf : public EveryArray {};

TEST_P(ContentsOf, SeesExactlyTheUntouchedElements) {
    for (Index offset = 0; offset < offset_end; ++offset) {
        GuardedArray memory = array(offset);
        std::set<Index> written;
        for_each_index(shape, [&](Index i, Index j, Index k, Index l) {
            // Heads may be one and the same memory.
            const Index head = layout() == Layout::broadcast ? 0 : k;
            EXPECT_EQ(memory.is_untouched({i, j, k, l}), !written.contains(head * 100 + l));
            if (k == 0) {
                EXPECT_TRUE(memory.has_untouched({i, j}));
            }
            memory.set({i, j, k, l}, 1);
            EXPECT_FALSE(memory.is_untouched({i, j, k, l}));
            written.insert(head * 100 + l);
            if (k == 1 && l == 1) {
                EXPECT_FALSE(memory.has_untouched({i, j}));
                EXPECT_EQ(memory.has_untouched({}), i != 1 || j != 2);
                written.clear();
            }
        });
    }
}

TEST_P(ContentsOf, SeesOneUntouchedElementWhereverItLies) {
    for_each_index(shape, [&](Index i, Index j, Index k, Index l) {
        GuardedArray memory = array(0);
        for_each_index(shape, [&](Index a, Index b, Index c, Index d) {
            const bool same_head = c == k || layout() == Layout::broadcast;
            if (a != i || b != j || !same_head || d != l) memory.set({a, b, c, d}, 1);
        });
        EXPECT_TRUE(memory.has_untouched({}));
        EXPECT_TRUE(memory.has_untouched({i}));
        EXPECT_TRUE(memory.has_untouched({i, j, k}));
        EXPECT_TRUE(memory.has_untouched({i, j, k, l}));
        EXPECT_FALSE(memory.has_untouched({1 - i}));
        EXPECT_FALSE(memory.has_untouched({i, (j + 1) % 3}));
        EXPECT_FALSE(memory.has_untouched({i, j, k, 1 - l}));
    });
}

TEST_P(ContentsOf, IsNotANumberWhereNothingWasWritten) {
    const GuardedArray memory = array(3);
    const InputView view = memory.input();
    const std::set<Index> places = places_of(view);
    for (Index place = -margin; place < *places.rbegin() + 1 + margin; ++place) {
        const std::byte* const element = view.data + place * Index(size());
        const double number = type() == ElementType::f32
                                  ? double(*reinterpret_cast<const float*>(element))
                                  : *reinterpret_cast<const double*>(element);
        EXPECT_TRUE(std::isnan(number)) << place;
        EXPECT_EQ(GuardedArray::is_poison(type(), element), places.contains(place)) << place;
    }
}

TEST_P(ContentsOf, HoldsWhatWasSetWrittenOrFilled) {
    for (Index offset = 0; offset < offset_end; ++offset) {
        GuardedArray one_by_one = array(offset);
        GuardedArray by_token = array(offset);
        GuardedArray whole = array(offset);
        std::vector<float> numbers;
        for_each_index(shape, [&](Index i, Index j, Index k, Index l) {
            // Heads that share their memory must agree.
            const Index head = layout() == Layout::broadcast ? 0 : k;
            numbers.push_back(float(1000 * i + 100 * j + 10 * head + l) + 0.1F);
            one_by_one.set({i, j, k, l}, numbers.back());
            if (k != 1 || l != 1) return;
            by_token.write({i, j}, std::span(numbers).last(4));
        });
        whole.write({}, numbers);
        std::vector<double> read(numbers.size());
        whole.read({}, read);
        std::size_t n = 0;
        for_each_index(shape, [&](Index i, Index j, Index k, Index l) {
            const double number = numbers[n];
            EXPECT_EQ(one_by_one.get({i, j, k, l}), number);
            EXPECT_EQ(by_token.get({i, j, k, l}), number);
            EXPECT_EQ(whole.get({i, j, k, l}), number);
            EXPECT_EQ(read[n++], number);
        });
        std::vector<double> token(4);
        whole.read({1, 2}, token);
        EXPECT_EQ(token, std::vector<double>(read.end() - 4, read.end()));
        whole.fill({1}, 5);
        EXPECT_EQ(whole.get({1, 0, 0, 0}), 5);
        EXPECT_EQ(whole.get({1, 2, 1, 1}), 5);
        EXPECT_EQ(whole.get({0, 2, 1, 1}), read[11]);
        for (const GuardedArray* memory : {&one_by_one, &by_token, &whole}) {
            EXPECT_TRUE(memory->only_elements_changed());
            EXPECT_FALSE(memory->unchanged());
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Memory, ContentsOf, every_array, name_of_array);

template <class Bits>
void expect_only_poison(ElementType type, Bits bits) {
    const auto is_poison = [&](Bits changed) {
        const auto bytes = std::bit_cast<std::array<std::byte, sizeof(Bits)>>(changed);
        return GuardedArray::is_poison(type, bytes.data());
    };
    EXPECT_TRUE(is_poison(bits));
    for (Bits bit = 1; bit != 0; bit <<= 1U) EXPECT_FALSE(is_poison(bits ^ bit)) << bit;
}

TEST(ArrayContents, PoisonIsOneQuietNaNForEachElementTypeToTheLastBit) {
    expect_only_poison(ElementType::f32, std::uint32_t{0x7fc5a5a5U});
    expect_only_poison(ElementType::f64, std::uint64_t{0x7ff85a5a5a5a5a5aU});
}

template <class Scalar>
void expect_written(ElementType type, Scalar number) {
    GuardedArray array(type, {1});
    array.output().at<Scalar>(0) = number;
    EXPECT_FALSE(array.is_untouched({0})) << number;
}

TEST(ArrayContents, ANaNOfASubjectsOwnDoesNotLookUntouched) {
    using Single = std::numeric_limits<float>;
    using Wide = std::numeric_limits<double>;
    for (const float sign : {1.0F, -1.0F}) {
        expect_written(ElementType::f32, std::copysign(Single::quiet_NaN(), sign));
        expect_written(ElementType::f64, std::copysign(Wide::quiet_NaN(), double(sign)));
    }
    const float infinite = Single::infinity();
    expect_written(ElementType::f32, infinite - infinite);
}

template <class Scalar>
void expect_surroundings_apart(ElementType type) {
    GuardedArray array(type, {1});
    auto& element = array.output().at<Scalar>(0);
    for (const int neighbour : {-1, 1}) {
        element = (&element)[neighbour] + 1;
        EXPECT_TRUE(std::isnan(element));
        EXPECT_FALSE(array.is_untouched({0}));
    }
}

TEST(ArrayContents, WhatIsMadeFromTheMemoryAroundItDoesNotLookUntouched) {
    expect_surroundings_apart<float>(ElementType::f32);
    expect_surroundings_apart<double>(ElementType::f64);
}

TEST(ArrayContents, HeadsThatShareTheirMemoryShowTheLastWrite) {
    const Shape shape = {1, 1, 3, 2};
    GuardedArray array(ElementType::f32, shape,
                       GuardedArray::Options{.placement = placed(shape, Layout::broadcast)});
    array.write({}, std::vector<float>{1, 2, 3, 4, 5, 6});
    for (Index head = 0; head < 3; ++head) {
        EXPECT_EQ(array.get({0, 0, head, 0}), 5);
        EXPECT_EQ(array.get({0, 0, head, 1}), 6);
    }
}

TEST(ArrayContents, WithoutDimensionsIsOneElement) {
    GuardedArray array(ElementType::f64, {});
    EXPECT_TRUE(array.has_untouched({}));
    array.set({}, 2.5);
    EXPECT_EQ(array.get({}), 2.5);
    EXPECT_FALSE(array.has_untouched({}));
    EXPECT_TRUE(array.only_elements_changed());
}

TEST(ArrayContents, ARowWithHolesIsWrittenAndReadAroundThem) {
    const Shape shape = {2, 3};
    GuardedArray array(ElementType::f32, shape,
                       GuardedArray::Options{.placement = {.stride = {1, 4}}});
    array.write({1}, std::vector<float>{7, 8, 9});
    EXPECT_EQ(array.output().at<float>(1, 2), 9);
    EXPECT_TRUE(array.has_untouched({0}));
    EXPECT_FALSE(array.has_untouched({1}));
    EXPECT_TRUE(array.only_elements_changed());
    std::vector<double> row(3);
    array.read({1}, row);
    EXPECT_EQ(row, (std::vector<double>{7, 8, 9}));
}

TEST(ArrayContents, AnIndexOrACountThatDoesNotFitIsABugOfOurs) {
    GuardedArray array(ElementType::f32, {2, 3});
    const std::vector<float> three(3);
    const std::vector<float> four(4);
    const std::vector<float> two(2);
    std::vector<double> numbers(4);
    const char* const bug = "kvcheck has a bug";
    EXPECT_DEATH(array.set({2, 0}, 1), bug);
    EXPECT_DEATH(array.set({-1, 0}, 1), bug);
    EXPECT_DEATH(array.get({0, 3}), bug);
    EXPECT_DEATH(array.get({0}), bug);
    EXPECT_DEATH(array.is_untouched({0, 0, 0}), bug);
    EXPECT_DEATH(array.has_untouched({0, 0, 0}), bug);
    EXPECT_DEATH(array.write({0}, four), bug);
    EXPECT_DEATH(array.write({0}, two), bug);
    EXPECT_DEATH(array.write({2}, three), bug);
    EXPECT_DEATH(array.read({0}, numbers), bug);
    EXPECT_DEATH(array.read({0}, std::span(numbers).first(2)), bug);
    EXPECT_DEATH(array.fill({0, 3}, 1), bug);
}

}  // namespace
}  // namespace kvcheck
