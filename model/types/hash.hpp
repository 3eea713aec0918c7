// SPDX-License-Identifier: Apache-2.0
// Hashes that are the same on every compiler and platform, for seeds, file names and the identity
// of a stream of cases: FNV-1a (Fowler, Noll, Vo) for texts, a step of a multiplication and a shift
// for many words. Not for tables that somebody may attack.
#pragma once

#include <cstdint>
#include <string_view>

namespace kvcheck {

constexpr std::uint64_t fnv_basis = 14695981039346656037U;

/// One step, over eight bits or over a whole word at once.
constexpr std::uint64_t fnv1a(std::uint64_t word, std::uint64_t hash) {
    constexpr std::uint64_t prime = 1099511628211U;
    return (hash ^ word) * prime;
}

/// One step over a word of which any bit may differ. For a given word it maps hashes one to one,
/// for a given hash words: two rows of words that differ in one word never have the same hash. The
/// shift brings what differs in the upper half of a word to the lower half of the hash, of which
/// file names are made.
constexpr std::uint64_t mixed(std::uint64_t word, std::uint64_t hash) {
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15U;  // 2^64 divided by the golden ratio
    hash = (hash ^ word) * odd;
    return hash ^ (hash >> 32U);
}

/// The hash of a text, going on from `hash`.
constexpr std::uint64_t fnv1a(std::string_view text, std::uint64_t hash = fnv_basis) {
    for (const char c : text) hash = fnv1a(std::uint64_t(std::uint8_t(c)), hash);
    return hash;
}

}  // namespace kvcheck
