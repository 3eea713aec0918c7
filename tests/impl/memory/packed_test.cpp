// SPDX-License-Identifier: Apache-2.0
// Elements packed and unpacked: in the order of the dimensions, with their bits, whatever the
// layout, and nothing else is touched.
#include "impl/memory/packed.hpp"

#include <cstring>

#include "tests/impl/memory/every_array.hpp"

namespace kvcheck {
namespace {

class Packed : public EveryArray {
protected:
    /// The bytes of all elements, one by one.
    std::vector<std::byte> one_by_one(const InputView& view) const {
        std::vector<std::byte> bytes;
        for_each_index(view.shape, [&](Index i, Index j, Index k, Index l) {
            const auto& stride = view.stride;
            const Index place = i * stride[0] + j * stride[1] + k * stride[2] + l * stride[3];
            const std::byte* const element = view.data + place * Index(size());
            bytes.insert(bytes.end(), element, element + size());
        });
        return bytes;
    }

    GuardedArray numbered() const {
        GuardedArray numbers = array(3);
        double value = 0;
        for_each_index(shape, [&](Index i, Index j, Index k, Index l) {
            numbers.set({i, j, layout() == Layout::broadcast ? 0 : k, l}, ++value);
        });
        return numbers;
    }
};

TEST_P(Packed, ElementsComeInTheOrderOfTheDimensions) {
    const GuardedArray numbers = numbered();
    std::vector<std::byte> bytes(packed_bytes(numbers.input()));
    pack(numbers.input(), bytes.data());
    EXPECT_EQ(bytes, one_by_one(numbers.input()));
}

TEST_P(Packed, WhatIsUnpackedIsWhatWasPackedAndNothingElseChanges) {
    const GuardedArray numbers = numbered();
    const std::vector<std::byte> bytes = one_by_one(numbers.input());
    GuardedArray copy = array(5);
    unpack(bytes.data(), copy.output());
    EXPECT_EQ(one_by_one(copy.input()), bytes);
    EXPECT_TRUE(copy.only_elements_changed());
}

TEST_P(Packed, ANanKeepsItsBits) {
    const GuardedArray untouched = array(0);  // all poison
    std::vector<std::byte> bytes(packed_bytes(untouched.input()));
    pack(untouched.input(), bytes.data());
    GuardedArray copy = array(5);
    copy.fill({}, 1);
    unpack(bytes.data(), copy.output());
    EXPECT_TRUE(copy.is_untouched({1, 2, 1, 1}));
}

INSTANTIATE_TEST_SUITE_P(All, Packed, every_array, name_of_array);

TEST(PackedWithoutElements, TouchesNothing) {
    const InputView view{nullptr, ElementType::f32, {2, 0, 3}, {0, 3, 1}};
    EXPECT_EQ(packed_bytes(view), 0U);
    pack(view, nullptr);
    unpack(nullptr, {nullptr, ElementType::f32, {2, 0, 3}, {0, 3, 1}});
}

}  // namespace
}  // namespace kvcheck
