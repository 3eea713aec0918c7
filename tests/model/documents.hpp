// SPDX-License-Identifier: Apache-2.0
// The documentation as text, so that a test can hold its examples against the program.
#pragma once

#include <string>
#include <vector>

namespace kvcheck {

/// A file of docs/, whole.
std::string document(const std::string& name);

/// The JSON blocks of docs/case_file.md, in order: the attention example, the layer example.
std::vector<std::string> documented_case_files();

}  // namespace kvcheck
