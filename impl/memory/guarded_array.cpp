// SPDX-License-Identifier: Apache-2.0
#include "impl/memory/guarded_array.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace kvcheck {
namespace {

constexpr std::uint32_t poison_f32 = 0x7fc5a5a5U;
constexpr std::uint64_t poison_f64 = 0x7ff85a5a5a5a5a5aU;
// Around the elements lies another NaN, so that what is made from it does not look unwritten.
constexpr std::uint32_t outside_f32 = 0x7fcb0b0bU;
constexpr std::uint64_t outside_f64 = 0x7ffb0b0b0b0b0b0bU;

std::size_t bytes_of(ElementType type, const Shape& shape, const GuardedArray::Options& options) {
    // A view that claims the wider element type must still point into this allocation.
    const ElementType widest = options.room > 0 ? ElementType::f64 : type;
    return std::size_t(span_of(shape, options.placement, options.room)) * size_of(widest);
}

Guard guard_of(const GuardedArray::Options& options) {
    if (!options.guard_pages) return Guard::zones;
    return options.placement.offset == 0 ? Guard::page_before : Guard::page_after;
}

}  // namespace

GuardedArray::GuardedArray(ElementType type, const Shape& shape, const Options& options)
    : type_(type),
      shape_(shape),
      stride_(options.placement.stride),
      memory_(bytes_of(type, shape, options), guard_of(options), options.name),
      begin_(memory_.first()) {
    const std::size_t size = size_of(type);
    if (!options.guard_pages) begin_ += std::size_t(options.placement.offset) * size;
    const auto put = [&](std::size_t at, std::uint32_t single, std::uint64_t wide) {
        if (type == ElementType::f32) {
            std::memcpy(bytes().data() + at, &single, size);
        } else {
            std::memcpy(bytes().data() + at, &wide, size);
        }
    };
    for (std::size_t at = begin_ % size; at + size <= bytes().size(); at += size) {
        put(at, outside_f32, outside_f64);
    }
    for_each_element([&](std::size_t at) { put(at, poison_f32, poison_f64); });
    seal();
}

GuardedArray::GuardedArray(ElementType type, const Shape& shape)
    : GuardedArray(type, shape, {.placement = placed(shape, Layout::packed)}) {}

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
    return bytes().data() + begin_ + std::size_t(offset) * size_of(type_);
}

void GuardedArray::set(std::initializer_list<Index> index, double value) {
    auto* const target = bytes().data() + (element(index) - bytes().data());
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

InputView GuardedArray::input() const { return {bytes().data() + begin_, type_, shape_, stride_}; }
OutputView GuardedArray::output() { return {bytes().data() + begin_, type_, shape_, stride_}; }

void GuardedArray::seal() { sealed_.assign(bytes().begin(), bytes().end()); }

bool GuardedArray::unchanged() const { return std::ranges::equal(sealed_, bytes()); }

bool GuardedArray::only_elements_changed() const {
    std::vector<std::byte> expected = sealed_;
    for_each_element([&](std::size_t at) {
        std::memcpy(expected.data() + at, bytes().data() + at, size_of(type_));
    });
    return std::ranges::equal(expected, bytes());
}

}  // namespace kvcheck
