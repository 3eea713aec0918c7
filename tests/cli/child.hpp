// SPDX-License-Identifier: Apache-2.0
// Runs the built program as a child, as a person or a script would, and keeps what it said.
#pragma once

#include <string>
#include <vector>

#include "tests/temporary_folder.hpp"

namespace kvcheck {

struct Outcome {
    int code = 0;     // exit code; 128 plus the signal where one ended it
    std::string out;  // by way of a pipe
    std::string err;
};

constexpr const char* fresh_seed = "KVCHECK_SEED=";

/// kvcheck with these arguments. `folder` is its working folder, empty: a temporary one.
/// `environment` has NAME=VALUE entries; variables of GoogleTest are not passed on. No run draws by
/// chance: KVCHECK_SEED is a fixed text unless an entry gives one; `fresh_seed` gives none.
Outcome kvcheck_with(const std::vector<std::string>& arguments, const std::string& folder = "",
                     const std::vector<std::string>& environment = {});

/// What kvcheck prints on a terminal with so many columns, both streams, ends of lines as "\n".
std::string on_a_terminal(const std::vector<std::string>& arguments, unsigned short columns);

std::vector<std::string> lines_of(const std::string& text);

/// The first line of `text` that contains `part`, without leading blanks; empty where there is
/// none.
std::string line_with(const std::string& text, const std::string& part);

}  // namespace kvcheck
