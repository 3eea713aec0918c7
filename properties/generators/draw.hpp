// SPDX-License-Identifier: Apache-2.0
// Choices from a stream of 64-bit integers, the same on every compiler: no standard distribution,
// no libm. One draw per statement, since argument order is unspecified.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "model/types/assert.hpp"
#include "model/types/spec.hpp"

namespace kvcheck {

class Draw {
public:
    explicit Draw(std::function<std::uint64_t()> next) : next_(std::move(next)) {}

    std::uint64_t bits() { return next_(); }
    /// Uniform in [0, count); the bias of the remainder is below 2^-40 for the counts used here.
    Index below(Index count) {
        KVCHECK_ASSERT(count > 0);
        return Index(next_() % std::uint64_t(count));
    }
    Index range(Index least, Index most) { return least + below(most - least + 1); }
    bool percent(Index chance) { return below(100) < chance; }

    template <class Value>
    Value pick(const std::vector<Value>& values) {
        return values[std::size_t(below(Index(values.size())))];
    }

private:
    std::function<std::uint64_t()> next_;
};

/// SplitMix64 (Steele, Lea, Flood 2014): the stream behind a recipe's seed.
class SplitMix {
public:
    explicit SplitMix(std::uint64_t seed) : state_(seed) {}
    std::uint64_t operator()() {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31U);
    }

private:
    std::uint64_t state_;
};

}  // namespace kvcheck
