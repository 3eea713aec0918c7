// SPDX-License-Identifier: Apache-2.0
// The commands, each as a function from its options to an exit code.
#pragma once

#include <string>
#include <vector>

#include "cli/report.hpp"

namespace kvcheck {

struct RunOptions {
    std::string subject = "plain";
    Index cases = 0;  // 0: as --quick or the default says
    bool quick = false;
    std::string time;  // "60s", "500ms", "2m"; empty: no limit
    std::string seed;  // any text; empty: a fresh one
    std::string property;
    bool fail_fast = false;
    std::string save = "counterexamples";
    std::string corpus;  // empty: the project's own, "none": none
    std::vector<std::string> gtest_flags;
};
Exit run(const RunOptions& options);

struct ReplayOptions {
    std::string file;
    std::string subject = "plain";
};
Exit replay(const ReplayOptions& options);

Exit list();
Exit example();

}  // namespace kvcheck
