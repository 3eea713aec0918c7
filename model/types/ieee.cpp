// SPDX-License-Identifier: Apache-2.0
// Bits, spacing and text (declared in ieee.hpp).
#include "model/types/ieee.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>

#include "model/types/assert.hpp"

namespace kvcheck {

bool same_bits(double a, double b) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

double ulp_at(double value, int digits) {
    KVCHECK_ASSERT(digits == 24 || digits == 53);
    const int exponent_min =
        digits == 24 ? -125 : -1021;  // std::frexp's exponent of the smallest normal
    int exponent = exponent_min;
    if (std::isfinite(value) && value != 0) std::frexp(value, &exponent);
    return std::ldexp(1.0, (exponent < exponent_min ? exponent_min : exponent) - digits);
}

std::string float_text(float value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    if (value == 0) return std::signbit(value) ? "-0" : "0";
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    return {text.data(), end};
}

}  // namespace kvcheck
