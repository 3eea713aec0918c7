// SPDX-License-Identifier: Apache-2.0
// The smallest cases by hand: one head of width one, rows written as text in which 'R' is a real
// token and 'P' padding. Every token's numbers tell which one it is.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/case.hpp"

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

/// A case at attention level with room for eight slots.
inline Case tiny_case(Index rows, std::vector<Command> program) {
    Case value;
    value.spec.rows = rows;
    value.spec.capacity = 8;
    value.program = std::move(program);
    return value;
}

}  // namespace kvcheck
