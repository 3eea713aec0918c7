// SPDX-License-Identifier: Apache-2.0
// The house rules as functions from a file's text to what is wrong with it, so that the rules
// themselves can be tested.
#pragma once

#include <string>
#include <vector>

namespace kvcheck::tidy {

struct File {
    std::string path;  // from the root, "model/case.hpp"
    std::string text;
};

/// Our own C and C++ files, as they are in the working tree.
std::vector<File> source_files(const std::string& root);

using Findings = std::vector<std::string>;

/// Who may include whom (docs/architecture.md has the table and the reasons).
Findings wrong_includes(const File& file);
/// Numbers like 1e-5 or 0x1p-20 outside oracles and tests: a tolerance comes from the bound.
Findings tolerance_literals(const File& file);
/// The licence line and a comment that says what the file is.
Findings missing_head(const File& file);
/// Randomness, clocks and floating-point flags where they have no business.
Findings banned_words(const File& file);
/// Sources that no CMakeLists.txt names.
Findings unnamed_sources(const std::string& root, const std::vector<File>& files);

}  // namespace kvcheck::tidy
