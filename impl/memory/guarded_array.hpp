// SPDX-License-Identifier: Apache-2.0
// The memory a subject is handed: a strided array between guards, filled with poison before it is
// filled with values, and compared afterwards. A write outside the array's elements, or a write to
// an input, is noticed; a read outside them meets NaN or a page that may not be read.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>
#include <vector>

#include "impl/memory/guarded_memory.hpp"
#include "impl/memory/placement.hpp"
#include "impl/memory/stretches.hpp"
#include "model/types/view.hpp"

namespace kvcheck {

class GuardedArray {
public:
    struct Options {
        Placement placement;
        Index room = 0;  // elements allocated in every dimension beyond the shape, for views that
                         // claim more than there is
        bool guard_pages = false;  // else zones only. The page lies directly before arrays that
                                   // begin on a 64-byte boundary, directly after all others; these
                                   // then begin wherever that puts them.
        const char* name = "an array";
    };
    GuardedArray(ElementType type, const Shape& shape, const Options& options);
    /// Packed, between zones.
    GuardedArray(ElementType type, const Shape& shape);

    /// A value that no subject writes: a quiet NaN with a payload of its own.
    static bool is_poison(ElementType type, const std::byte* element);

    /// Indices of the outermost dimensions; all elements below them are meant, in the order of the
    /// dimensions with the last one fastest. With all indices that is one element, with none the
    /// whole array.
    using Prefix = std::initializer_list<Index>;

    void set(Prefix index, double value);
    double get(Prefix index) const;
    bool is_untouched(Prefix index) const;

    /// The elements below `prefix` become `values`, as many as there are such elements.
    void write(Prefix prefix, std::span<const float> values);
    /// All of them become `value`.
    void fill(Prefix prefix, double value);
    /// `values` become the elements below `prefix`; needs as many places.
    void read(Prefix prefix, std::span<double> values) const;
    /// True where at least one element below `prefix` still holds the poison.
    bool has_untouched(Prefix prefix) const;

    InputView input() const;
    OutputView output();

    /// Remembers the present contents; call after the last change of ours.
    void seal();
    /// True while nothing has changed since seal().
    bool unchanged() const;
    /// True while nothing but the elements has changed since seal().
    bool only_elements_changed() const;

private:
    /// Elements with one distance between neighbours.
    struct Row {
        std::size_t begin;  // the place of the first in bytes()
        std::size_t size;
        std::size_t step;  // bytes
    };
    /// Calls `visit` with the innermost rows below `prefix` in order.
    template <class Visit>
    void for_each_row(Prefix prefix, const Visit& visit) const;
    /// Where in bytes() the one element at `index` lies, or the first of those below `prefix`.
    std::size_t place_of(Prefix index) const;
    std::size_t place_of_first(Prefix prefix) const;
    std::size_t elements_below(Prefix prefix) const;
    /// True while bytes() from `begin` to before `end` are what they were at seal().
    bool is_sealed(std::size_t begin, std::size_t end) const;
    std::span<std::byte> bytes() { return memory_.all(); }
    std::span<const std::byte> bytes() const { return memory_.all(); }

    ElementType type_;
    Shape shape_;
    std::array<Index, 4> stride_;
    GuardedMemory memory_;
    std::size_t begin_;               // of element zero in bytes()
    std::vector<Stretch> stretches_;  // of the elements
    std::vector<std::byte> sealed_;
};

}  // namespace kvcheck
