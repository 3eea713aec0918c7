// SPDX-License-Identifier: Apache-2.0
// The commands that bring no token, as plain data (clause 10): what a session is asked to do to its
// rows, and what a program holds. What they do to the state stands in model/commands/, their text
// form in lifecycle_json.hpp.
#pragma once

#include <optional>
#include <string_view>
#include <variant>

#include "model/types/spec.hpp"

namespace kvcheck {

/// Forgets every token of a row, or of all rows; what is left is as newly opened.
struct Reset {
    static constexpr std::string_view name = "reset";  // in files, in the protocol and in reports

    std::optional<Index> row;  // absent: all rows

    bool operator==(const Reset&) const = default;
};

/// Every such command, one a line.
using Lifecycle = std::variant<  //
    Reset>;

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

}  // namespace kvcheck
