// SPDX-License-Identifier: Apache-2.0
// What can be done to a batch of cached rows, as data: the append, the commands that bring no
// token, the reload, after which another object goes on, and prefixes that are published and
// reused. The set is closed: where std::visit
// takes it apart, an alternative that is forgotten does not compile
// (docs/decisions/0012-where-commands-are-visited.md lists the places). All else walks over appends
// (walk.hpp) or passes a command on.
#pragma once

#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "model/commands/append.hpp"
#include "model/commands/prefix.hpp"
#include "model/types/feature_set.hpp"
#include "model/types/lifecycle.hpp"

namespace kvcheck {

/// The object saves its state and is closed, and another one is opened that loads it. Not one of
/// Lifecycle, since no session can be asked for it.
struct Reload {
    static constexpr std::string_view name = "reload";

    bool operator==(const Reload&) const = default;
};

template <class First, class Middle, class... Last>
struct Joined;
template <class First, class... Middle, class... Last>
struct Joined<First, std::variant<Middle...>, Last...> {
    using Type = std::variant<First, Middle..., Last...>;
};

/// Append, one of Lifecycle, or one of those for which a session has other calls.
using Command = Joined<Append, Lifecycle, Reload, Publish, Reuse>::Type;

/// "append", "reset": as in files and in the protocol.
std::string_view name_of(const Command& command);

// The names below differ from those of the alternatives' own functions on purpose: an alternative
// without its own would become a Command again, and the call one of itself, which compiles.

/// What a command asks of a subject by being there, needed_by() of its alternative; what else an
/// append asks depends on its state.
FeatureSet features_of(const Command& command);

/// The command for a batch of only these rows, in this order, for_rows() of its alternative;
/// nothing where it is about another row.
std::optional<Command> with_rows(const Command& command, const std::vector<Index>& rows);

}  // namespace kvcheck
