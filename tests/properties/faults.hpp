// SPDX-License-Identifier: Apache-2.0
// Subjects with one fault each, and the property that each of them breaks.
#pragma once

#include <vector>

#include "tests/properties/tampered.hpp"

namespace kvcheck {

struct Fault {
    const char* name;
    const char* property;
    Tamper (*make)();
};

const std::vector<Fault>& faults();

/// All but those that read or write beyond arrays which only some properties guard.
std::vector<Fault> harmless_faults();

}  // namespace kvcheck
