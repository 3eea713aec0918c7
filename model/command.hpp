// SPDX-License-Identifier: Apache-2.0
// What can be done to a batch of cached rows, as data: the append, and the commands that bring no
// token. The set is closed. It is taken apart by std::visit in four places: what a command does to
// the state (command.cpp), how a session is asked for it (properties/drive/drive.cpp), its text
// (commands/command_json.cpp) and what is simpler than it (properties/search/shrink_program.cpp);
// an alternative that one of them forgets does not compile. All else walks over appends
// (walk.hpp).
#pragma once

#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "model/commands/append.hpp"
#include "model/types/feature_set.hpp"
#include "model/types/lifecycle.hpp"

namespace kvcheck {

template <class First, class Rest>
struct WithFirst;
template <class First, class... Rest>
struct WithFirst<First, std::variant<Rest...>> {
    using Type = std::variant<First, Rest...>;
};

/// Append, or one of Lifecycle.
using Command = WithFirst<Append, Lifecycle>::Type;

/// "append", "reset": as in files and in the protocol.
std::string_view name_of(const Command& command);

/// What a command asks of a subject by being there; what an append asks depends on its state.
FeatureSet needed_by(const Command& command);

/// The command for a batch of only these rows, in this order; nothing where it is about another.
std::optional<Command> for_rows(const Command& command, const std::vector<Index>& rows);

}  // namespace kvcheck
