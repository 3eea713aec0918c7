// SPDX-License-Identifier: Apache-2.0
// Whether counterexamples can be saved, tried before anything runs. Leaves nothing behind: a run
// that finds nothing leaves no folder.
#pragma once

#include <string>

namespace kvcheck {

/// Why no file can be made in this folder, or why the folder cannot; empty where both can.
std::string objection_to_folder(const std::string& folder);

}  // namespace kvcheck
