// SPDX-License-Identifier: Apache-2.0
// The decisions of a cached layer that are easily got wrong, each as one function, so that a mutant
// can get exactly one of them wrong. What is here is right: clauses 3 and 5 of docs/contract.md.
#pragma once

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

    /// True where the query sees the key in slot `key`; every other key is skipped.
    virtual bool sees(const TokenPlace& query, Index key) const;

    /// What is added to the score of a key that is seen: nothing.
    virtual float score_offset(const TokenPlace& query, Index key) const;

    /// The row of the position table that the token uses.
    virtual Index position_id(const TokenPlace& token, PositionIds ids) const;
};

}  // namespace kvcheck
