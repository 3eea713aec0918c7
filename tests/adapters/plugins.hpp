// SPDX-License-Identifier: Apache-2.0
// The plug-ins of this folder by name, and how programs that crash on purpose are run.
#pragma once

#include <string>
#include <vector>

namespace kvcheck {

/// The path of a plug-in that was built here.
inline std::string plugin(const std::string& name) {
    return std::string(KVCHECK_PLUGINS) + "/" + name + ".so";
}

/// Where all is built with a sanitizer, a fault ends a child as it would without one.
inline const std::vector<std::string> plain_signals = {
    "ASAN_OPTIONS=handle_segv=0:allocator_may_return_null=1:detect_leaks=0"};

}  // namespace kvcheck
