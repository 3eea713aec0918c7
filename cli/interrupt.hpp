// SPDX-License-Identifier: Apache-2.0
// Ctrl-C and SIGTERM: children are killed, the file of the running case is removed, what was found
// stays.
#pragma once

#include <string>

namespace kvcheck {

/// From now on an interruption ends the program with exit code 130. `save_folder` is where the file
/// of the running case would be.
void handle_interrupts(const std::string& save_folder);

}  // namespace kvcheck
