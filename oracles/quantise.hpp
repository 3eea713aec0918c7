// SPDX-License-Identifier: Apache-2.0
// Narrow storage of balls, as the reference sees it (clause 13): roundings to a format; which
// integers and which scales a head may have in int8, and the ball of what they stand for.
// docs/error_bound.md, section 12, equations (18) to (20). Include in .cpp files only.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "oracles/error_bound.hpp"
#include "oracles/storage.hpp"

namespace kvcheck {

/// Replaces the elements of one head, balls, by the balls of what is stored of them, and adds what
/// each may be shown as. Numbers that are not finite stay as they are.
template <class Number>
void quantise_head(const Rounding& rounding, std::span<Number> value, std::span<double> radius,
                   std::vector<StoredRange>& ranges) {
    using std::abs;
    using std::floor;
    using std::isfinite;
    constexpr int most = 127;
    const auto narrow = [](const Number& x) { return static_cast<double>(x); };
    const double u = rounding.u;
    Number middle = 0;  // of the largest size
    Number least = 0;
    Number largest = 0;
    bool finite = true;
    for (std::size_t i = 0; i < value.size(); ++i) {
        const Number size = abs(value[i]);
        middle = std::max(middle, size);
        least = std::max(least, Number(size - radius[i]));
        largest = std::max(largest, Number(size + radius[i]));
        finite = finite && isfinite(narrow(size)) && std::isfinite(radius[i]);
    }
    if (!finite || largest == 0) {
        ranges.resize(ranges.size() + value.size());
        return;
    }
    const double smallest_normal = rounding.exp_abs;  // what an exponential may lose, too
    if (narrow(least) / most < smallest_normal) {
        // Any scale up to a smallest normal number more: the stored number is no larger than that.
        const double reach = narrow(largest) + (most + 1) * smallest_normal;
        for (std::size_t i = 0; i < value.size(); ++i) {
            radius[i] = enlarged(radius[i] + std::fabs(narrow(value[i])) + reach);
            ranges.emplace_back();
        }
        return;
    }
    const Number step = middle / most;
    const Number step_least = least / most * (1 - 2 * u);
    const Number step_most = largest / most * (1 + 2 * u);
    for (std::size_t i = 0; i < value.size(); ++i) {
        // x / scale lies between these, and which integer is nearest is left open 3u beside a tie.
        const auto ratio = [&](const Number& x, bool shrinks) {
            const Number quotient = x * most / ((x >= 0) == shrinks ? largest : least);
            const Number slack = abs(quotient) * (3 * u);
            return shrinks ? Number(quotient - slack) : Number(quotient + slack);
        };
        const auto integer = [&](const Number& x) {
            // In double: near a zero beside certain numbers the quotient is beyond any integer.
            return int(
                std::clamp(narrow(Number(floor(x + Number(0.5)))), -double(most), double(most)));
        };
        StoredRange code;
        code.low = integer(ratio(value[i] - radius[i], true));
        code.high = integer(ratio(value[i] + radius[i], false));
        code.step = narrow(step);
        code.step_rest = narrow(Number(step - code.step));
        const double scale =
            std::max(narrow(Number(step_most / step - 1)), narrow(Number(1 - step_least / step)));
        code.spread = enlarged(scale + rounding.gamma(1) * (1 + scale));
        code.underflow = rounding.eta;
        // The middle, and the ends with the scale that reaches farthest.
        const Number scaled = value[i] / step;
        const Number below = floor(scaled);
        const Number rest = scaled - below;
        const bool is_odd = int(narrow(below)) % 2 != 0;
        const bool rises = rest > Number(0.5) || (rest == Number(0.5) && is_odd);
        const Number stored = (rises ? Number(below + 1) : below) * step;
        const Number low = code.low * (code.low < 0 ? step_most : step_least);
        const Number high = code.high * (code.high < 0 ? step_least : step_most);
        const double reach = std::max(narrow(Number(high - stored)), narrow(Number(stored - low)));
        const double size = std::max(std::fabs(narrow(low)), std::fabs(narrow(high)));
        value[i] = stored;
        // (19)
        radius[i] = enlarged(reach + rounding.gamma(2) * size + most * rounding.eta);
        ranges.push_back(code);
    }
}

/// Replaces elements, balls, by their roundings to a format: that of the middle, and how far those
/// of the ends are from it. False where one overflows, which is left as it is.
template <class Number>
bool round_elements(Storage storage, std::vector<Number>& value, std::vector<double>& radius,
                    std::vector<StoredRange>& ranges) {
    const auto narrow = [](const Number& x) { return static_cast<double>(x); };
    bool fits = true;
    for (std::size_t i = 0; i < value.size(); ++i) {
        const auto nearest = [&](double distance) {
            return nearest_stored(storage, Number(value[i] + distance));
        };
        const Number middle = nearest(0);
        const Number low = radius[i] == 0 ? middle : nearest(-radius[i]);
        const Number high = radius[i] == 0 ? middle : nearest(radius[i]);
        if (!std::isfinite(narrow(low)) || !std::isfinite(narrow(high))) {
            fits = false;
            ranges.emplace_back();
            continue;
        }
        ranges.push_back({narrow(low), narrow(high)});
        value[i] = middle;
        // (18)
        radius[i] = enlarged(std::max(narrow(Number(high - middle)), narrow(Number(middle - low))));
    }
    return fits;
}

/// What is stored of all heads of a key or value, [heads*width], where that is not what is given.
/// False where a correct program may overflow.
template <class Number>
bool store_heads(const Rounding& rounding, Storage storage, Index width, std::vector<Number>& value,
                 std::vector<double>& radius, std::vector<StoredRange>& ranges) {
    if (is_format(storage)) return round_elements(storage, value, radius, ranges);
    if (storage != Storage::int8) return true;
    const auto size = std::size_t(width);
    for (std::size_t i = 0; i < value.size(); i += size) {
        quantise_head(rounding, std::span(value).subspan(i, size),
                      std::span(radius).subspan(i, size), ranges);
    }
    return true;
}

/// The largest integer of int8, which multiplies what underflows before it.
constexpr double int8_units = 127;

/// What an integer times its scale, shown as `shown`, may be off by in a program, besides the
/// scale: as a rounded product, or where the scale is applied to a sum or to a weight. (20)
inline double dequantised(const Rounding& rounding, double shown) {
    return enlarged(rounding.gamma(2) * std::fabs(shown) + int8_units * rounding.eta);
}

}  // namespace kvcheck
