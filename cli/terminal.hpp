// SPDX-License-Identifier: Apache-2.0
// Text for where it goes: on a terminal lines are folded to its width, in a pipe or a file they
// stay whole, for whoever searches them. Commands that are printed to be typed are never folded
// here.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kvcheck {

/// Columns of standard output, 80 where a terminal does not tell; nothing where it is no terminal.
std::optional<std::size_t> terminal_width();

/// `text` with its lines broken at blanks so that they fit into `width` columns. What follows a
/// break begins at column `hang`, or, where none is given, below the line's last column of text
/// that begins in its left half. A word that does not fit stays whole.
std::string folded(std::string_view text, std::size_t width,
                   std::optional<std::size_t> hang = std::nullopt);

/// Prints to standard output, folded where that is a terminal.
void say(const std::string& text, std::optional<std::size_t> hang = std::nullopt);

/// The first columns of a line, so that it takes no second one.
std::string cut_to(const std::string& line, std::optional<std::size_t> width);

}  // namespace kvcheck
