// SPDX-License-Identifier: Apache-2.0
// A finding for people: the case and its shape, the sentence, where it lies, how it is judged
// again. The same for one that was drawn and one that the corpus holds.
#pragma once

#include <optional>
#include <string>

#include "properties/suite.hpp"

namespace kvcheck {

/// "1 row, 1 head, 2 tokens, 2 commands"
std::string size_text(const CaseSize& size);
/// "H 1, Hkv 1, Dk 1, Dv 1, 2 slots", with D at layer level
std::string shape_text(const Spec& spec);
/// "1 case", "2 cases"
std::string counted(Index count, const char* noun);

/// Column at which the lines of a finding begin.
constexpr std::size_t finding_margin = 13;

/// The lines of a finding, the first of which begins with `before`. With `width`, text is folded,
/// and commands and paths are not; with `with_row`, the row of the finding follows as a table.
std::string failure_text(const std::string& before, const PropertyReport& report, bool with_row,
                         std::optional<std::size_t> width);

}  // namespace kvcheck
