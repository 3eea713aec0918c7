// SPDX-License-Identifier: Apache-2.0
// Clauses 6, 7, 10 and 12: what a wrong call or command must leave behind, shared by the properties
// that make one.
#pragma once

#include <functional>
#include <vector>

#include "model/cache_state.hpp"
#include "properties/drive/judge.hpp"

namespace kvcheck {

/// A wrong call: an append as it would be right here, and what is wrong with it; or a command.
struct WrongCall {
    Append append;
    Damage damage;  // of a command: what it is called
    std::optional<Command> command = std::nullopt;
};

/// The wrong calls to try in this state, before `next`.
using WrongCalls =
    std::function<std::vector<WrongCall>(const CacheState& state, const Append& next)>;

/// What a wrong call must not change.
struct SeenState {
    std::vector<RowNumbers> numbers;
    std::vector<StoredRow> stored;
};
SeenState state_of(Drive& session);
/// What has changed since, in words; empty where nothing has.
std::string changed_since(const SeenState& before, Drive& session);

/// Drives a case twice, once with every wrong call in between: each must be refused, and neither
/// the numbers, nor what is stored, nor any later output may tell the two apart.
Verdict judge_refusals(Subject& subject, const Case& test_case, Oracle& oracle,
                       const WrongCalls& wrong);

}  // namespace kvcheck
