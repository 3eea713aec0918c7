// SPDX-License-Identifier: Apache-2.0
// The decisions of a cached layer that are easily got wrong, each as one function, so that a mutant
// can get exactly one of them wrong. What is here is right: clauses 3 and 5 of docs/contract.md.
#pragma once

#include <optional>
#include <vector>

#include "model/types/spec.hpp"

namespace kvcheck {

/// Where a token of a call stands: `index` in the call, the row's length before the call, and which
/// of the row's slots, up to and including this call's, hold real tokens.
struct TokenPlace {
    Index index;
    Index past;
    const std::vector<bool>& real;

    Index slot() const { return past + index; }
};

class PlainRules {
public:
    virtual ~PlainRules() = default;

    /// What is added to the score of the key in slot `key`: 0 where the query sees it, nothing (the
    /// key is skipped) where it does not.
    virtual std::optional<float> mask(const TokenPlace& query, Index key) const;

    /// The row of the position table that the token uses.
    virtual Index position_id(const TokenPlace& token, PositionIds ids) const;
};

}  // namespace kvcheck
