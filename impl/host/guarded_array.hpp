// SPDX-License-Identifier: Apache-2.0
// The memory a subject is handed: a strided array between guard zones, filled with poison before it
// is filled with values, and compared afterwards. A write outside the array's elements, or a write
// to an input, is noticed; a read outside them meets NaN.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "model/types/view.hpp"

namespace kvcheck {

/// How an array's elements lie in memory.
enum class Layout {
    packed,      // row-major, without gaps
    gapped,      // row-major with gaps after every inner dimension, and off by one element
    head_major,  // the second and third dimension exchanged in memory, without gaps
};

std::string_view name_of(Layout layout);
/// packed where the name is unknown.
Layout layout_named(std::string_view name);
/// The layout a view's strides follow.
Layout layout_of(const InputView& view);

class GuardedArray {
public:
    /// `room` extra elements are allocated in every dimension beyond `shape`, for views that claim
    /// more than there is.
    GuardedArray(ElementType type, const Shape& shape, Layout layout, Index room = 0);

    /// A value that no subject writes: a quiet NaN with a payload of its own.
    static bool is_poison(ElementType type, const std::byte* element);

    void set(std::initializer_list<Index> index, double value);
    double get(std::initializer_list<Index> index) const;
    bool is_untouched(std::initializer_list<Index> index) const;

    InputView input() const;
    OutputView output();

    /// Remembers the present contents; call after the last set().
    void seal();
    /// True while nothing has changed since seal().
    bool unchanged() const;
    /// True while nothing but the elements has changed since seal().
    bool only_elements_changed() const;

private:
    /// Calls `visit` with the place in bytes_ of every element.
    void for_each_element(const std::function<void(std::size_t)>& visit) const;
    const std::byte* element(std::initializer_list<Index> index) const;
    std::byte* payload() { return bytes_.data() + begin_; }
    const std::byte* payload() const { return bytes_.data() + begin_; }

    ElementType type_;
    Shape shape_;
    std::array<Index, 4> stride_{};
    std::size_t begin_ = 0;         // of element zero; 64-byte aligned unless the layout is gapped
    std::vector<std::byte> bytes_;  // guard zone, elements and gaps, guard zone
    std::vector<std::byte> sealed_;
};

}  // namespace kvcheck
