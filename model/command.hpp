// SPDX-License-Identifier: Apache-2.0
// What can be done to a batch of cached rows, as data. A token carries its own inputs, so that a
// program can be re-split, cut or permuted without touching a number.
#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "model/types/spec.hpp"

namespace kvcheck {

struct Token {
    bool real = true;          // false: padding
    std::vector<float> input;  // q[H][Dk] | k[Hkv][Dk] | v[Hkv][Dv], or x[D]

    /// By bits, so that a token that holds NaN equals itself.
    bool operator==(const Token& other) const;
};

struct Append {
    std::vector<std::vector<Token>> rows;            // [rows], each row its own count
    std::optional<std::vector<Index>> query_offset;  // [rows], the next slot of each row

    bool operator==(const Append&) const = default;
};

struct Reset {
    bool operator==(const Reset&) const = default;
};

using Command = std::variant<Append, Reset>;

/// A token whose inputs are all zero.
Token zero_token(const Spec& spec, bool real);

/// The most tokens any row receives.
Index count_max(const Append& append);

}  // namespace kvcheck
