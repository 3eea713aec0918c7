// SPDX-License-Identifier: Apache-2.0
// The smallest cases by hand: one head of width one, rows written as text in which 'R' is a real
// token and 'P' padding. Every token's numbers tell which one it is.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/case.hpp"
#include "model/history.hpp"

namespace kvcheck {

/// An append of rows; `first` numbers its first token, the others follow.
inline Append tiny_append(const std::vector<std::string>& rows, float first = 1,
                          std::optional<std::vector<Index>> offsets = std::nullopt) {
    Append append;
    append.query_offset = std::move(offsets);
    for (const std::string& row : rows) {
        auto& tokens = append.rows.emplace_back();
        for (const char c : row) {
            tokens.push_back({c == 'R', {first, 0, first}});
            ++first;
        }
    }
    return append;
}

/// A row written likewise, without numbers.
inline History history_of(const std::string& tokens) {
    History history;
    for (const char c : tokens) history = history.with({c == 'R', {}});
    return history;
}

/// A case at attention level with room for eight slots.
inline Case tiny_case(Index rows, std::vector<Command> program) {
    Case test_case;
    test_case.spec.rows = rows;
    test_case.spec.capacity = 8;
    test_case.program = std::move(program);
    return test_case;
}

}  // namespace kvcheck
