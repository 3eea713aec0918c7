// SPDX-License-Identifier: Apache-2.0
// The plug-ins of this folder by name, and how programs that crash on purpose are run.
#pragma once

#include <string>
#include <vector>

#include "tests/cli/child.hpp"

namespace kvcheck {

/// The path of a plug-in that was built here.
inline std::string plugin(const std::string& name) {
    return std::string(KVCHECK_PLUGINS) + "/" + name + ".so";
}

/// Where all is built with a sanitizer, a fault ends a child as it would without one.
inline const std::vector<std::string> plain_signals = {
    "ASAN_OPTIONS=handle_segv=0:allocator_may_return_null=1:detect_leaks=0"};

/// The properties that a run lists as skipped, in their order.
inline std::vector<std::string> skipped_in(const Outcome& run) {
    const std::string label = "  skipped    ";
    std::vector<std::string> names;
    for (const std::string& line : lines_of(run.out)) {
        if (line.rfind(label, 0) != 0) continue;
        names.push_back(line.substr(label.size(), line.find(' ', label.size()) - label.size()));
    }
    return names;
}

/// Before the path of a library: it is reached through the child protocol.
inline const std::string serving = std::string("exec:") + KVCHECK_PROGRAM + " serve ";

}  // namespace kvcheck
