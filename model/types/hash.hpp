// SPDX-License-Identifier: Apache-2.0
// FNV-1a (Fowler, Noll, Vo): a hash that is the same on every compiler and platform, for seeds,
// file names and the identity of a stream of cases. Not for tables that somebody may attack.
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

/// The hash of a text, going on from `hash`.
constexpr std::uint64_t fnv1a(std::string_view text, std::uint64_t hash = fnv_basis) {
    for (const char c : text) hash = fnv1a(std::uint64_t(std::uint8_t(c)), hash);
    return hash;
}

}  // namespace kvcheck
