// SPDX-License-Identifier: Apache-2.0
// The truths of one row from its tokens alone, for tests that have no run.
#pragma once

#include <vector>

#include "oracles/truth.hpp"

namespace kvcheck {

inline History history_of(const std::vector<Token>& tokens) {
    History history;
    for (const Token& token : tokens) history = history.with(token);
    return history;
}

/// [slots]; unstaged.
inline std::vector<TokenTruth> row_truth(Oracle& oracle, const std::vector<Token>& tokens) {
    const History history = history_of(tokens);
    Truths truths(oracle);
    std::vector<TokenTruth> row(tokens.size());
    for (auto token = history.last(); token; token = token->before) {
        row[std::size_t(token->slot)] = truths.of(token);
    }
    return row;
}

}  // namespace kvcheck
