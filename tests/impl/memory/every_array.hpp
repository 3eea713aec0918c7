// SPDX-License-Identifier: Apache-2.0
// A guarded array of each layout and element type, for tests that hold for all of them, and its
// elements counted one by one, without any arithmetic of impl/memory.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <set>
#include <string>
#include <tuple>

#include "impl/memory/guarded_array.hpp"

namespace kvcheck {

constexpr Index offset_end = 16;  // elements to a 64-byte boundary, and for doubles past it
constexpr Index margin = 16;      // elements looked at on either side of an array

inline void flip(std::byte& byte) { byte ^= std::byte{1}; }

template <class Visit>
void for_each_index(const Shape& shape, const Visit& visit) {
    for (Index i = 0; i < shape.extent[0]; ++i) {
        for (Index j = 0; j < shape.extent[1]; ++j) {
            for (Index k = 0; k < shape.extent[2]; ++k) {
                for (Index l = 0; l < shape.extent[3]; ++l) visit(i, j, k, l);
            }
        }
    }
}

/// How far from element zero the elements of a view lie.
inline std::set<Index> places_of(const InputView& view) {
    std::set<Index> places;
    for_each_index(view.shape, [&](Index i, Index j, Index k, Index l) {
        const auto& stride = view.stride;
        places.insert(i * stride[0] + j * stride[1] + k * stride[2] + l * stride[3]);
    });
    return places;
}

class EveryArray : public testing::TestWithParam<std::tuple<Layout, ElementType>> {
protected:
    Layout layout() const { return std::get<0>(GetParam()); }
    ElementType type() const { return std::get<1>(GetParam()); }
    std::size_t size() const { return size_of(type()); }

    GuardedArray array(Index offset, bool guard_pages = false) const {
        return {type(), shape,
                GuardedArray::Options{.placement = placed(shape, layout(), offset),
                                      .guard_pages = guard_pages,
                                      .name = "the key"}};
    }

    /// Changes every byte of one element's width at `place`, each for a moment, and expects it to
    /// be noticed or not. A change of anything is a change of an input.
    void expect_noticed(GuardedArray& array, Index place, bool noticed) const {
        std::byte* const first = array.output().data + place * Index(size());
        for (std::size_t i = 0; i < size(); ++i) {
            flip(first[i]);
            ASSERT_EQ(array.only_elements_changed(), !noticed) << place << ", byte " << i;
            ASSERT_FALSE(array.unchanged()) << place << ", byte " << i;
            flip(first[i]);
        }
        ASSERT_TRUE(array.only_elements_changed()) << place;
        ASSERT_TRUE(array.unchanged()) << place;
    }

    const Shape shape = {2, 3, 2, 2};
};

inline const auto every_array =
    testing::Combine(testing::Values(Layout::packed, Layout::head_major, Layout::fused,
                                     Layout::gapped, Layout::broadcast),
                     testing::Values(ElementType::f32, ElementType::f64));

/// For people and for filters: gapped_f64.
inline std::string name_of_array(const testing::TestParamInfo<EveryArray::ParamType>& info) {
    const Layout layout = std::get<0>(info.param);
    const std::string name(layout == Layout::head_major ? "head_major" : name_of(layout));
    return name + (std::get<1>(info.param) == ElementType::f32 ? "_f32" : "_f64");
}

}  // namespace kvcheck
