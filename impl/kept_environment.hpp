// SPDX-License-Identifier: Apache-2.0
// A subject of this process that cannot change the checker's arithmetic: it computes in the
// floating-point environment that was in force when it was loaded, and after each of its calls the
// caller's is in force again. A call that leaves another one behind is told by memory_fault, like
// memory that is not its own.
#pragma once

#include <functional>
#include <memory>

#include "impl/subject.hpp"

namespace kvcheck {

/// `load` makes the subject; what it changes is its own environment from then on.
std::unique_ptr<Subject> in_its_own_environment(
    const std::function<std::unique_ptr<Subject>()>& load);

}  // namespace kvcheck
