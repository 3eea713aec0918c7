// SPDX-License-Identifier: Apache-2.0
// From arguments to an exit code: the whole of the program kvcheck, also for programs that bring a
// subject of their own.
#pragma once

#include "impl/catalogue.hpp"

namespace kvcheck {

/// `own` is the default subject of this program, null for kvcheck itself. Never throws InputError.
int run_command_line(int argc, char** argv, const SubjectEntry* own = nullptr);

}  // namespace kvcheck
