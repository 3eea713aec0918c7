// SPDX-License-Identifier: Apache-2.0
// Walks over a program that know in which state each command finds the rows. Everything that looks
// at tokens, or changes their contents, goes this way, so that slots are counted in one place.
#pragma once

#include <type_traits>
#include <utility>

#include "model/cache_state.hpp"
#include "model/case.hpp"
#include "model/commands/shift.hpp"

namespace kvcheck {

/// Where a token of a program stands.
struct TokenSite {
    Index command;  // number in the program
    Index row;
    Index index;  // in the call
    Index slot;
};

/// Calls visit(number, append, state before it) for every append. `CaseType` is Case or const
/// Case; a visitor may change contents, offsets, validity and parents, not counts: shifts are
/// cut to what is left of the ids.
template <class CaseType, class Visit>
void for_each_append(CaseType& test_case, const Visit& visit) {
    CacheState state(test_case.spec, position_count(test_case.spec, test_case.parameters));
    for (std::size_t n = 0; n < test_case.program.size(); ++n) {
        auto& command = test_case.program[n];
        if (auto* append = std::get_if<Append>(&command)) {
            visit(Index(n), *append, std::as_const(state));
        }
        if constexpr (!std::is_const_v<CaseType>) {
            if (auto* shift = std::get_if<Shift>(&command)) fit(*shift, state);
        }
        state.apply(command);
    }
}

/// Calls visit(site, token) for every token, in the order of commands, rows and slots.
template <class CaseType, class Visit>
void for_each_token(CaseType& test_case, const Visit& visit) {
    for_each_append(test_case, [&](Index command, auto& append, const CacheState& before) {
        for (Index r = 0; r < before.row_count(); ++r) {
            const Index length = before.row(r).length();
            auto& tokens = append.rows[std::size_t(r)];
            for (Index t = 0; t < Index(tokens.size()); ++t) {
                visit(TokenSite{command, r, t, length + t}, tokens[std::size_t(t)]);
            }
        }
    });
}

/// Calls visit(state, row) for every row whose history ends: where a command takes some of it back
/// or gives the row another one, in the state before that command, and at the end of the program.
template <class Visit>
void for_each_end(const Case& test_case, const Visit& visit) {
    CacheState state(test_case.spec, position_count(test_case.spec, test_case.parameters));
    for (const Command& command : test_case.program) {
        CacheState next = state;
        next.apply(command);
        for (Index r = 0; r < state.row_count(); ++r) {
            if (r >= next.row_count() || !next.row(r).continues(state.row(r))) visit(state, r);
        }
        state = std::move(next);
    }
    for (Index r = 0; r < state.row_count(); ++r) visit(std::as_const(state), r);
}

}  // namespace kvcheck
