// SPDX-License-Identifier: Apache-2.0
// Damaged case files: texts with bytes, numbers and chunks changed, and documents with values
// changed, which reach further into the reader. A pure function of the stream.
#pragma once

#include <string>
#include <vector>

#include "properties/generators/draw.hpp"

namespace kvcheck {

/// One of the texts, damaged in one to four places.
std::string damaged(const std::vector<std::string>& texts, Draw& draw);

}  // namespace kvcheck
