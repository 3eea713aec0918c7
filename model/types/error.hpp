// SPDX-License-Identifier: Apache-2.0
// Trouble that comes from outside: a file, a flag, a plug-in. The text always says where it was
// found, what was found, and what was expected, so that the reader can mend it without our source.
#pragma once

#include <stdexcept>
#include <string>

namespace kvcheck {

class InputError : public std::runtime_error {
public:
    InputError(const std::string& place, const std::string& found, const std::string& expected)
        : std::runtime_error(place + ": found " + found + ", expected " + expected) {}
};

}  // namespace kvcheck
