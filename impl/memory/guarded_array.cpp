// SPDX-License-Identifier: Apache-2.0
// Elements, poison and comparison (declared in guarded_array.hpp).
#include "impl/memory/guarded_array.hpp"

#include <cstdint>
#include <cstring>

namespace kvcheck {
namespace {

/// One NaN for each element type.
struct Pattern {
    std::uint32_t single;
    std::uint64_t wide;
};
constexpr Pattern poison = {0x7fc5a5a5U, 0x7ff85a5a5a5a5a5aU};
// Around the elements lies another NaN, so that what is made from it does not look unwritten.
constexpr Pattern outside = {0x7fcb0b0bU, 0x7ffb0b0b0b0b0b0bU};

/// `count` elements from `target` on become `bits`.
template <class Bits>
void fill_with(std::byte* target, std::size_t count, Bits bits) {
    constexpr std::size_t block_bytes = 64;
    std::array<Bits, block_bytes / sizeof(Bits)> block{};
    block.fill(bits);
    for (; count >= block.size(); count -= block.size(), target += block_bytes) {
        std::memcpy(target, block.data(), block_bytes);
    }
    std::memcpy(target, block.data(), count * sizeof bits);
}

void fill_with(std::byte* target, std::size_t count, ElementType type, const Pattern& pattern) {
    if (type == ElementType::f32) {
        fill_with(target, count, pattern.single);
    } else {
        fill_with(target, count, pattern.wide);
    }
}

void store(ElementType type, std::byte* target, double value) {
    if (type == ElementType::f32) {
        const auto narrowed = float(value);
        std::memcpy(target, &narrowed, sizeof narrowed);
    } else {
        std::memcpy(target, &value, sizeof value);
    }
}

double load(ElementType type, const std::byte* element) {
    if (type == ElementType::f32) {
        float value = 0;
        std::memcpy(&value, element, sizeof value);
        return value;
    }
    double value = 0;
    std::memcpy(&value, element, sizeof value);
    return value;
}

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
      begin_(memory_.first()),
      stretches_(stretches_of(shape, stride_)) {
    const std::size_t size = size_of(type);
    if (!options.guard_pages) begin_ += std::size_t(options.placement.offset) * size;
    KVCHECK_ASSERT(begin_ % size == 0);
    fill_with(bytes().data(), bytes().size() / size, type, outside);
    for (const Stretch& stretch : stretches_) {
        fill_with(bytes().data() + begin_ + std::size_t(stretch.begin) * size,
                  std::size_t(stretch.size), type, poison);
    }
    seal();
}

GuardedArray::GuardedArray(ElementType type, const Shape& shape)
    : GuardedArray(type, shape, {.placement = placed(shape, Layout::packed)}) {}

bool GuardedArray::is_poison(ElementType type, const std::byte* element) {
    if (type == ElementType::f32) {
        return std::memcmp(element, &poison.single, sizeof poison.single) == 0;
    }
    return std::memcmp(element, &poison.wide, sizeof poison.wide) == 0;
}

std::size_t GuardedArray::place_of(Prefix index) const {
    KVCHECK_ASSERT(index.size() == std::size_t(shape_.rank));
    return place_of_first(index);
}

std::size_t GuardedArray::place_of_first(Prefix prefix) const {
    KVCHECK_ASSERT(prefix.size() <= std::size_t(shape_.rank));
    Index offset = 0;
    std::size_t dimension = 0;
    for (const Index i : prefix) {
        KVCHECK_ASSERT(i >= 0 && i < shape_.extent[dimension]);
        offset += i * stride_[dimension++];
    }
    return begin_ + std::size_t(offset) * size_of(type_);
}

std::size_t GuardedArray::elements_below(Prefix prefix) const {
    Index count = 1;
    for (std::size_t i = prefix.size(); i < std::size_t(shape_.rank); ++i) {
        count *= shape_.extent[i];
    }
    return std::size_t(count);
}

template <class Visit>
void GuardedArray::for_each_row(Prefix prefix, const Visit& visit) const {
    const std::size_t size = size_of(type_);
    const auto rank = std::size_t(shape_.rank);
    const auto walk = [&](const auto& self, std::size_t dimension, std::size_t begin) -> void {
        if (dimension == rank) return visit(Row{begin, 1, size});
        const auto extent = std::size_t(shape_.extent[dimension]);
        const std::size_t step = std::size_t(stride_[dimension]) * size;
        if (dimension + 1 == rank) {
            if (extent > 0) visit(Row{begin, extent, step});
            return;
        }
        for (std::size_t i = 0; i < extent; ++i) self(self, dimension + 1, begin + i * step);
    };
    walk(walk, prefix.size(), place_of_first(prefix));
}

void GuardedArray::set(Prefix index, double value) {
    store(type_, bytes().data() + place_of(index), value);
}

double GuardedArray::get(Prefix index) const {
    return load(type_, bytes().data() + place_of(index));
}

bool GuardedArray::is_untouched(Prefix index) const {
    return is_poison(type_, bytes().data() + place_of(index));
}

void GuardedArray::write(Prefix prefix, std::span<const float> values) {
    KVCHECK_ASSERT(values.size() == elements_below(prefix));
    for_each_row(prefix, [&](const Row& row) {
        std::byte* const target = bytes().data() + row.begin;
        if (type_ == ElementType::f32 && row.step == sizeof(float)) {
            std::memcpy(target, values.data(), row.size * sizeof(float));
        } else {
            for (std::size_t i = 0; i < row.size; ++i) {
                store(type_, target + i * row.step, values[i]);
            }
        }
        values = values.subspan(row.size);
    });
}

void GuardedArray::fill(Prefix prefix, double value) {
    for_each_row(prefix, [&](const Row& row) {
        for (std::size_t i = 0; i < row.size; ++i) {
            store(type_, bytes().data() + row.begin + i * row.step, value);
        }
    });
}

void GuardedArray::read(Prefix prefix, std::span<double> values) const {
    KVCHECK_ASSERT(values.size() == elements_below(prefix));
    for_each_row(prefix, [&](const Row& row) {
        for (std::size_t i = 0; i < row.size; ++i) {
            values[i] = load(type_, bytes().data() + row.begin + i * row.step);
        }
        values = values.subspan(row.size);
    });
}

bool GuardedArray::has_untouched(Prefix prefix) const {
    bool found = false;
    for_each_row(prefix, [&](const Row& row) {
        for (std::size_t i = 0; i < row.size && !found; ++i) {
            found = is_poison(type_, bytes().data() + row.begin + i * row.step);
        }
    });
    return found;
}

InputView GuardedArray::input() const { return {bytes().data() + begin_, type_, shape_, stride_}; }
OutputView GuardedArray::output() { return {bytes().data() + begin_, type_, shape_, stride_}; }

void GuardedArray::seal() { sealed_.assign(bytes().begin(), bytes().end()); }

bool GuardedArray::is_sealed(std::size_t begin, std::size_t end) const {
    return std::memcmp(sealed_.data() + begin, bytes().data() + begin, end - begin) == 0;
}

bool GuardedArray::unchanged() const { return is_sealed(0, bytes().size()); }

bool GuardedArray::only_elements_changed() const {
    const std::size_t size = size_of(type_);
    std::size_t end = 0;  // of the stretch before
    for (const Stretch& stretch : stretches_) {
        if (!is_sealed(end, begin_ + std::size_t(stretch.begin) * size)) return false;
        end = begin_ + std::size_t(stretch.end()) * size;
    }
    return is_sealed(end, bytes().size());
}

}  // namespace kvcheck
