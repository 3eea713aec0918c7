// SPDX-License-Identifier: Apache-2.0
// The commands that bring no token, as plain data (clause 10): what a session is asked to do to its
// rows, and what a program holds. What they do to the state stands in model/commands/, their text
// form in lifecycle_json.hpp.
#pragma once

#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "model/types/spec.hpp"

namespace kvcheck {

/// Forgets every token of a row, or of all rows; what is left is as newly opened.
struct Reset {
    static constexpr std::string_view name = "reset";  // in files, in the protocol and in reports

    std::optional<Index> row;  // absent: all rows

    bool operator==(const Reset&) const = default;
};

/// A row, or every row, continues as if only its first `length` tokens had been appended.
struct Truncate {
    static constexpr std::string_view name = "truncate";

    Index length = 0;          // the new one, at most the row's own
    std::optional<Index> row;  // absent: all rows

    bool operator==(const Truncate&) const = default;
};

/// Row r continues what row sources[r] holds. There are as many rows from then on as sources; a
/// source may stand there twice, or not at all.
struct Reorder {
    static constexpr std::string_view name = "reorder";

    std::vector<Index> sources;

    bool operator==(const Reorder&) const = default;
};

/// Adds a row at the end that continues what `row` holds.
struct Fork {
    static constexpr std::string_view name = "fork";

    Index row = 0;

    bool operator==(const Fork&) const = default;
};

/// A row gets no more tokens until it is reset.
struct Finish {
    static constexpr std::string_view name = "finish";

    Index row = 0;

    bool operator==(const Finish&) const = default;
};

/// Hides the slots begin ... end - 1 of a row from all later queries; other slots, and all ids,
/// stay what they are.
struct Evict {
    static constexpr std::string_view name = "evict";

    Index row = 0;
    Index begin = 0;
    Index end = 0;  // the first slot after them

    bool operator==(const Evict&) const = default;
};

/// The position ids of a row, and of what is appended to it later, are `by` lower; stored keys that
/// are turned already are turned back by as much.
struct Shift {
    static constexpr std::string_view name = "shift";

    Index row = 0;
    Index by = 0;  // not negative; no id falls below zero

    bool operator==(const Shift&) const = default;
};

/// Every such command, one a line.
using Lifecycle = std::variant<  //
    Reset,                       //
    Truncate,                    //
    Reorder,                     //
    Fork,                        //
    Finish,                      //
    Evict,                       //
    Shift>;

inline std::string_view name_of(const Lifecycle& command) {
    return std::visit([](const auto& one) { return one.name; }, command);
}

/// Functions for the alternatives of a variant, for std::visit.
template <class... Functions>
struct Overload : Functions... {
    using Functions::operator()...;
};
template <class... Functions>
Overload(Functions...) -> Overload<Functions...>;

/// How many rows there are after a command of any set that has these two, where there were `rows`.
template <class... Commands>
Index rows_after(const std::variant<Commands...>& command, Index rows) {
    if (const auto* reorder = std::get_if<Reorder>(&command)) {
        return Index(reorder->sources.size());
    }
    return std::holds_alternative<Fork>(command) ? rows + 1 : rows;
}

}  // namespace kvcheck
