// SPDX-License-Identifier: Apache-2.0
// Trouble that comes from outside: a file, a flag, a plug-in. The text always says where it was
// found, what was found, and what was expected, so that the reader can mend it without our source.
#pragma once

#include <stdexcept>
#include <string>

namespace kvcheck {

class InputError : public std::runtime_error {
public:
    /// Place and found may be somebody's text of any length: they are cut, and made printable.
    InputError(const std::string& place, const std::string& found, const std::string& expected)
        : std::runtime_error(shown(place) + ": found " + shown(found) + ", expected " + expected) {}

    /// An error that another process of this program has put into its line already.
    explicit InputError(const std::string& line) : std::runtime_error(line) {}

    /// As model/types/shown.hpp says.
    static std::string shown(const std::string& text);
};

}  // namespace kvcheck
