// SPDX-License-Identifier: Apache-2.0
// What narrow storage leaves of the tokens in a row of the textbook subject: clause 13 of
// docs/contract.md, and what rules of a mutant make of it.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "impl/plain/row_cache.hpp"
#include "impl/plain/rules.hpp"

namespace kvcheck {

/// The size of the largest element; NaN where one is NaN.
template <class Scalar>
double largest_size(std::span<const Scalar> numbers) {
    double largest = 0;
    for (const Scalar x : numbers) {
        const double size = std::fabs(double(x));
        if (!(size <= largest)) largest = size;
    }
    return largest;
}

/// What a unit is of integers in which these numbers were stored; 0 where all are zero.
template <class Scalar>
Scalar integers_per_unit(std::span<const Scalar> numbers) {
    constexpr Scalar most = 127;
    const auto largest = Scalar(largest_size(numbers));
    return largest > 0 ? most / largest : Scalar(0);
}

/// Numbers as integers times size / 127. A head of zeros has integers of zero, and so has one that
/// is too small for its scale to be a number above zero.
template <class Scalar>
void quantise(std::span<Scalar> numbers, const PlainRules& rules, Stored what, double size) {
    constexpr Scalar most = 127;
    if (!std::isfinite(size)) return;
    const Scalar scale = Scalar(size) / most;
    for (Scalar& x : numbers) {
        const auto code = scale > 0 ? Scalar(rules.int8_code(what, double(x / scale))) : Scalar(0);
        x = std::clamp(code, -most, most) * scale;
    }
}

/// Keys or values of all tokens from `first` on, as they are stored.
template <class Scalar>
void narrow(RowCache<Scalar>& cache, const Spec& spec, const PlainRules& rules, Stored what,
            Index first) {
    const auto numbers = [&](Stored which, Index head, Index slot) {
        return which == Stored::key ? cache.key_numbers(head, slot)
                                    : cache.value_numbers(head, slot);
    };
    const auto size = [&](Stored which, Index head, Index slot) {
        return largest_size<Scalar>(numbers(which, head, slot));
    };
    const Stored other = what == Stored::key ? Stored::value : Stored::key;
    for (Index slot = first; slot < cache.length(); ++slot) {
        for (Index head = 0; head < spec.kv_heads; ++head) {
            if (spec.storage == Storage::int8) {
                const Int8Sizes sizes{size(what, head, slot), size(other, head, slot),
                                      size(what, 0, slot),
                                      size(what, head, std::max<Index>(slot - 1, 0))};
                quantise(numbers(what, head, slot), rules, what, rules.int8_size(what, sizes));
                continue;
            }
            for (Scalar& x : numbers(what, head, slot))
                x = Scalar(rules.stored(spec.storage, what, double(x)));
        }
    }
}

}  // namespace kvcheck
