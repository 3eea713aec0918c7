// SPDX-License-Identifier: Apache-2.0
// Non-owning strided arrays, as a subject receives them: element type, shape and strides travel
// with the pointer, so that a subject can refuse what it was not promised. Up to four dimensions.
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>

#include "model/types/assert.hpp"
#include "model/types/spec.hpp"

namespace kvcheck {

enum class ElementType { f32, f64 };

constexpr std::size_t size_of(ElementType type) { return type == ElementType::f32 ? 4 : 8; }

/// Extents of a view; the unused ones are absent, not 1.
struct Shape {
    std::array<Index, 4> extent{};
    int rank = 0;

    Shape() = default;
    Shape(std::initializer_list<Index> extents) {
        KVCHECK_ASSERT(extents.size() <= extent.size());
        for (const Index value : extents) extent[std::size_t(rank++)] = value;
    }
    bool operator==(const Shape&) const = default;

    Index size() const {
        Index product = 1;
        for (int i = 0; i < rank; ++i) product *= extent[std::size_t(i)];
        return product;
    }
};

/// `Byte` is std::byte for views a subject may write and const std::byte for the others.
/// Strides count elements, not bytes.
template <class Byte>
struct BasicView {
    Byte* data = nullptr;  // may be null where the shape holds no element
    ElementType type = ElementType::f32;
    Shape shape;
    std::array<Index, 4> stride{};

    /// The element at `index`; needs as many indices as there are dimensions, in range.
    template <class Scalar, class... Indices>
    auto& at(Indices... index) const {
        using Element = std::conditional_t<std::is_const_v<Byte>, const Scalar, Scalar>;
        KVCHECK_ASSERT(sizeof...(index) == std::size_t(shape.rank));
        KVCHECK_ASSERT(sizeof(Scalar) == size_of(type));
        Index offset = 0;
        std::size_t dimension = 0;
        ((offset += Index(index) * stride[dimension], ++dimension), ...);
        return reinterpret_cast<Element*>(data)[offset];
    }
};

using InputView = BasicView<const std::byte>;
using OutputView = BasicView<std::byte>;

}  // namespace kvcheck
