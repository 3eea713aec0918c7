// SPDX-License-Identifier: Apache-2.0
#include "impl/host/guarded_array.hpp"

#include <bit>
#include <cstdint>
#include <cstring>

namespace kvcheck {
namespace {

constexpr std::size_t alignment = 64;
constexpr std::size_t guard_bytes = 256;
constexpr std::uint32_t poison_f32 = 0x7fc5a5a5U;
constexpr std::uint64_t poison_f64 = 0x7ff85a5a5a5a5a5aU;
// Around the elements lies another NaN, so that what is made from it does not look unwritten.
constexpr std::uint32_t outside_f32 = 0x7fcb0b0bU;
constexpr std::uint64_t outside_f64 = 0x7ffb0b0b0b0b0b0bU;

/// Strides for a row-major walk over the dimensions in `order`, outermost first.
std::array<Index, 4> strides_of(const Shape& shape, const std::array<int, 4>& order, Index gap,
                                Index room) {
    std::array<Index, 4> stride{};
    Index step = 1;
    for (int i = shape.rank; i-- > 0;) {
        const auto dimension = std::size_t(order[std::size_t(i)]);
        stride[dimension] = step;
        step = step * (shape.extent[dimension] + room) + gap;
    }
    return stride;
}

}  // namespace

std::string_view name_of(Layout layout) {
    switch (layout) {
        case Layout::gapped:
            return "gapped";
        case Layout::head_major:
            return "head_major";
        default:
            return "packed";
    }
}

Layout layout_named(std::string_view name) {
    for (const Layout layout : {Layout::gapped, Layout::head_major}) {
        if (name == name_of(layout)) return layout;
    }
    return Layout::packed;
}

Layout layout_of(const InputView& view) {
    if (view.shape.rank == 4 && view.stride[1] < view.stride[2]) return Layout::head_major;
    const auto last = std::size_t(view.shape.rank - 1);
    return view.stride[last - 1] > view.shape.extent[last] ? Layout::gapped : Layout::packed;
}

GuardedArray::GuardedArray(ElementType type, const Shape& shape, Layout layout, Index room)
    : type_(type), shape_(shape) {
    const bool exchange = layout == Layout::head_major && shape.rank == 4;
    const std::array<int, 4> order =
        exchange ? std::array<int, 4>{0, 2, 1, 3} : std::array<int, 4>{0, 1, 2, 3};
    constexpr Index gap_elements = 3;
    stride_ = strides_of(shape, order, layout == Layout::gapped ? gap_elements : 0, room);

    Index last = 1;  // one past the furthest element
    for (std::size_t i = 0; i < std::size_t(shape.rank); ++i) {
        last += (shape.extent[i] + room) * stride_[i];
    }
    const std::size_t size = size_of(type);
    // A view that claims the wider element type must still point into this allocation.
    const std::size_t payload_bytes =
        std::size_t(last) * (room > 0 ? size_of(ElementType::f64) : size);
    bytes_.resize(payload_bytes + 2 * guard_bytes + 2 * alignment);
    const auto address = std::bit_cast<std::uintptr_t>(bytes_.data()) + guard_bytes;
    begin_ = guard_bytes + (alignment - address % alignment) % alignment;
    if (layout == Layout::gapped) begin_ += size;
    const auto put = [&](std::size_t at, std::uint32_t single, std::uint64_t wide) {
        if (type == ElementType::f32) {
            std::memcpy(bytes_.data() + at, &single, size);
        } else {
            std::memcpy(bytes_.data() + at, &wide, size);
        }
    };
    for (std::size_t at = begin_ % size; at + size <= bytes_.size(); at += size) {
        put(at, outside_f32, outside_f64);
    }
    for_each_element([&](std::size_t at) { put(at, poison_f32, poison_f64); });
    seal();
}

void GuardedArray::for_each_element(const std::function<void(std::size_t)>& visit) const {
    const auto walk = [&](const auto& self, std::size_t dimension, Index offset) -> void {
        if (dimension == std::size_t(shape_.rank)) {
            visit(begin_ + std::size_t(offset) * size_of(type_));
            return;
        }
        for (Index i = 0; i < shape_.extent[dimension]; ++i) {
            self(self, dimension + 1, offset + i * stride_[dimension]);
        }
    };
    walk(walk, 0, 0);
}

bool GuardedArray::is_poison(ElementType type, const std::byte* element) {
    if (type == ElementType::f32) return std::memcmp(element, &poison_f32, sizeof poison_f32) == 0;
    return std::memcmp(element, &poison_f64, sizeof poison_f64) == 0;
}

const std::byte* GuardedArray::element(std::initializer_list<Index> index) const {
    KVCHECK_ASSERT(index.size() == std::size_t(shape_.rank));
    Index offset = 0;
    std::size_t dimension = 0;
    for (const Index i : index) {
        KVCHECK_ASSERT(i >= 0 && i < shape_.extent[dimension]);
        offset += i * stride_[dimension++];
    }
    return payload() + std::size_t(offset) * size_of(type_);
}

void GuardedArray::set(std::initializer_list<Index> index, double value) {
    auto* const target = bytes_.data() + (element(index) - bytes_.data());
    if (type_ == ElementType::f32) {
        const auto narrowed = float(value);
        std::memcpy(target, &narrowed, sizeof narrowed);
    } else {
        std::memcpy(target, &value, sizeof value);
    }
}

double GuardedArray::get(std::initializer_list<Index> index) const {
    if (type_ == ElementType::f32) {
        float value = 0;
        std::memcpy(&value, element(index), sizeof value);
        return value;
    }
    double value = 0;
    std::memcpy(&value, element(index), sizeof value);
    return value;
}

bool GuardedArray::is_untouched(std::initializer_list<Index> index) const {
    return is_poison(type_, element(index));
}

InputView GuardedArray::input() const { return {payload(), type_, shape_, stride_}; }
OutputView GuardedArray::output() { return {payload(), type_, shape_, stride_}; }

void GuardedArray::seal() { sealed_ = bytes_; }

bool GuardedArray::unchanged() const { return sealed_ == bytes_; }

bool GuardedArray::only_elements_changed() const {
    std::vector<std::byte> expected = sealed_;
    for_each_element([&](std::size_t at) {
        std::memcpy(expected.data() + at, bytes_.data() + at, size_of(type_));
    });
    return expected == bytes_;
}

}  // namespace kvcheck
