// SPDX-License-Identifier: Apache-2.0
// A subject that is a shared library with the C interface of impl/abi/kvcheck_plugin.h, in this
// process. What it does to the process it does to us; that is why `kvcheck run` puts it into a
// child first.
#pragma once

#include <memory>

#include "impl/subject.hpp"

namespace kvcheck {

/// Loads `path`; throws InputError where it cannot be loaded, exports no kvcheck_plugin_entry, or
/// has another version of the interface. The library stays loaded for the life of the process.
std::unique_ptr<Subject> make_plugin(const std::string& path);

}  // namespace kvcheck
