// SPDX-License-Identifier: Apache-2.0
// What a function says when it refuses bad input, and whether that reads as it should.
#pragma once

#include <string>

#include "model/types/error.hpp"

namespace kvcheck {

/// The text of the InputError that `action` throws; any other exception passes through.
template <class Action>
std::string refusal_of(const Action& action) {
    try {
        action();
    } catch (const InputError& error) {
        return error.what();
    }
    return "nothing was refused";
}

/// True for one line of the form "PLACE: found FOUND, expected EXPECTED" that opens with `place`.
inline bool reads_well(const std::string& refusal, const std::string& place) {
    const std::string found = ": found ";
    const std::string expected = ", expected ";
    const std::size_t at_found = refusal.find(found);
    const std::size_t at_expected = refusal.rfind(expected);
    return refusal.rfind(place, 0) == 0 && refusal.find('\n') == std::string::npos &&
           at_found != std::string::npos && at_expected != std::string::npos &&
           at_expected > at_found + found.size() && at_expected + expected.size() < refusal.size();
}

}  // namespace kvcheck
