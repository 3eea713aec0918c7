// SPDX-License-Identifier: Apache-2.0
// The row of a finding as a table for people.
#pragma once

#include <optional>
#include <string>

#include "oracles/verdict.hpp"

namespace kvcheck {

/// Lines that begin with `margin`; empty where the verdict is about no row. As many heads stand
/// beside each other as fit into `width`, at least one and at most four; where even one does not
/// fit, the margin is left out.
std::string row_text(const Verdict& verdict, const std::string& margin,
                     std::optional<std::size_t> width = std::nullopt);

}  // namespace kvcheck
