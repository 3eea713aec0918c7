// SPDX-License-Identifier: Apache-2.0
// What a cache saves and costs, counted by the textbook decoder while it works, beside the
// formulas.
#pragma once

#include <string>
#include <vector>

#include "impl/decoder.hpp"

namespace kvcheck {

struct Account {
    std::string what;
    std::string formula;
    Index counted = 0;
    Index expected = 0;  // by the formula

    bool holds() const { return counted == expected; }
};

/// Tokens that are projected, bytes that are held, pairs of queries and keys that are scored.
std::vector<Account> decoder_accounts();

}  // namespace kvcheck
