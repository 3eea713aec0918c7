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

/// The parameters of a layer without other conventions.
inline Parameters layer_parameters_of(Projection query, Projection key, Projection value,
                                      Projection output, std::vector<float> position_table) {
    Parameters parameters;
    parameters.query = std::move(query);
    parameters.key = std::move(key);
    parameters.value = std::move(value);
    parameters.output = std::move(output);
    parameters.position_table = std::move(position_table);
    return parameters;
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
