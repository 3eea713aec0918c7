// SPDX-License-Identifier: Apache-2.0
// The row of a finding as a table for people.
#pragma once

#include <string>

#include "oracles/verdict.hpp"

namespace kvcheck {

/// Lines that begin with `margin`; empty where the verdict is about no row.
std::string row_text(const Verdict& verdict, const std::string& margin);

}  // namespace kvcheck
