// SPDX-License-Identifier: Apache-2.0
// One token of a row with its own inputs, so that a program can be re-split, cut or permuted
// without touching a number.
#pragma once

#include <vector>

#include "model/types/spec.hpp"

namespace kvcheck {

struct Token {
    bool real = true;          // false: padding
    std::vector<float> input;  // the arrays of input_arrays(level), one after the other
    /// Its parent is so many slots before it (clause 16): 1 for the slot before, one more than its
    /// own slot for none.
    Index back = 1;

    /// By bits, so that a token that holds NaN equals itself.
    bool operator==(const Token& other) const;
};

/// A token whose inputs are all zero.
Token zero_token(const Spec& spec, bool real);

}  // namespace kvcheck
