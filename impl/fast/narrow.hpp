// SPDX-License-Identifier: Apache-2.0
// What a block of the fast subject holds: floats, or numbers of 16 or 8 bits, which are narrowed
// when they are stored and widened when they are read (clause 13 of docs/contract.md). Written with
// integers, so that no rounding mode and no flush to zero has a say.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "model/types/assert.hpp"
#include "model/types/spec.hpp"

namespace kvcheck::fast {

/// The upper half of a float.
struct Bf16 {
    std::uint16_t bits;
};

/// IEEE 754 binary16: 5 bits of exponent, 10 of fraction.
struct Half {
    std::uint16_t bits;
};

/// An integer from -127 to 127, times a scale that stands beside the entries.
struct Int8 {
    std::int8_t code;
};

/// To nearest, ties to even; what overflows becomes infinity, NaN stays NaN.
template <class Entry>
Entry narrow(float x);

template <>
inline float narrow<float>(float x) {
    return x;
}

template <>
inline Bf16 narrow<Bf16>(float x) {
    constexpr std::uint32_t below_half = 0x7fff;
    constexpr std::uint32_t quiet = 0x40;
    const auto bits = std::bit_cast<std::uint32_t>(x);
    if (x != x) return {std::uint16_t(bits >> 16U | quiet)};
    return {std::uint16_t((bits + below_half + (bits >> 16U & 1U)) >> 16U)};
}

template <>
inline Half narrow<Half>(float x) {
    constexpr std::uint32_t infinity = 0x7f800000;
    constexpr std::uint32_t overflow = 0x477ff000;         // 65520, halfway to 2^16
    constexpr std::uint32_t smallest_normal = 0x38800000;  // 2^-14
    constexpr std::uint32_t less_bias = 112U << 10U;       // 127 - 15, in a half's exponent
    constexpr std::uint32_t half_infinity = 0x7c00;
    constexpr std::uint32_t half_nan = 0x7e00;
    constexpr std::uint32_t all = 0x7fffffff;
    const auto bits = std::bit_cast<std::uint32_t>(x);
    const std::uint32_t size = bits & all;
    const std::uint32_t sign = bits >> 16U & 0x8000U;
    const auto with_sign = [&](std::uint32_t half) { return Half{std::uint16_t(sign | half)}; };
    if (size > infinity) return with_sign(half_nan);
    if (size >= overflow) return with_sign(half_infinity);
    // `digits` less its last `lost` bits, rounded; a carry goes on into the exponent, rightly.
    const auto rounded = [](std::uint32_t digits, std::uint32_t lost) {
        const std::uint32_t below_half = (1U << (lost - 1)) - 1;
        return (digits + below_half + (digits >> lost & 1U)) >> lost;
    };
    constexpr std::uint32_t lost_of_normal = 13;
    if (size >= smallest_normal) return with_sign(rounded(size, lost_of_normal) - less_bias);
    // Units of 2^-24: a float 2^(e - 127) f loses 126 - e bits of its 24.
    const std::uint32_t exponent = size >> 23U;
    constexpr std::uint32_t vanishes = 102;  // 2^-25 and less, of which the tie is even
    if (exponent < vanishes) return with_sign(0);
    const std::uint32_t digits = (size & 0x7fffffU) | 0x800000U;
    return with_sign(rounded(digits, 126 - exponent));
}

inline float widen(float x) { return x; }

inline float widen(Bf16 x) { return std::bit_cast<float>(std::uint32_t(x.bits) << 16U); }

inline float widen(Half x) {
    constexpr std::uint32_t exponents = 0x1f;
    const std::uint32_t sign = std::uint32_t(x.bits & 0x8000U) << 16U;
    const std::uint32_t exponent = x.bits >> 10U & exponents;
    const std::uint32_t fraction = x.bits & 0x3ffU;
    if (exponent == exponents) return std::bit_cast<float>(sign | 0x7f800000U | fraction << 13U);
    if (exponent == 0) {
        const float size = std::ldexp(float(fraction), -24);
        return sign == 0 ? size : -size;
    }
    return std::bit_cast<float>(sign | (exponent + 112) << 23U | fraction << 13U);
}

constexpr float int8_most = 127;

/// The integer nearest to a quotient of at most a few units more than 127, ties to even. Of NaN
/// zero: its scale is NaN, too, and stands for it.
inline Int8 int8_of(float quotient) {
    constexpr float whole = 0x1.8p23F;  // a float of this size has no fraction
    if (quotient != quotient) return {0};
    const float code = (quotient + whole) - whole;
    return {std::int8_t(code > int8_most ? int8_most : code < -int8_most ? -int8_most : code)};
}

/// Bytes of an entry.
constexpr Index entry_bytes(Storage storage) {
    switch (storage) {
        case Storage::element:
            break;
        case Storage::bf16:
        case Storage::fp16:
            return 2;
        case Storage::int8:
            return 1;
    }
    return 4;
}

/// Calls visit(entry) with an entry of the type that a format has; int8 is none.
template <class Visit>
auto with_format(Storage storage, const Visit& visit) {
    KVCHECK_ASSERT(storage != Storage::int8);
    if (storage == Storage::bf16) return visit(Bf16{});
    if (storage == Storage::fp16) return visit(Half{});
    return visit(0.0F);
}

/// The same for every kind of storage.
template <class Visit>
auto with_entry(Storage storage, const Visit& visit) {
    if (storage == Storage::int8) return visit(Int8{});
    return with_format(storage, visit);
}

}  // namespace kvcheck::fast
