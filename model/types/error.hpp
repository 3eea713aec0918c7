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

    /// At most 200 bytes of a text, on one line.
    static std::string shown(const std::string& text) {
        constexpr std::size_t length_max = 200;
        std::string line = text.size() > length_max ? text.substr(0, length_max) + "..." : text;
        for (char& c : line) {
            if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = '?';
        }
        return line;
    }
};

}  // namespace kvcheck
