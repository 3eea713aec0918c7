// SPDX-License-Identifier: Apache-2.0
// Subjects that are right on small cases and wrong beyond one extent, constant or way of being
// asked; the property that catches each of them.
#pragma once

#include <vector>

#include "tests/properties/faults.hpp"

namespace kvcheck {

const std::vector<Fault>& reach_faults();

}  // namespace kvcheck
