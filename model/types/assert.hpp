// SPDX-License-Identifier: Apache-2.0
// Assertions for our own bugs: on in every build, one condition each. Bad input from outside is an
// InputError (error.hpp), a wrong subject is a verdict (oracles/verdict.hpp); neither belongs here.
#pragma once

namespace kvcheck {
[[noreturn]] void assertion_failed(const char* condition, const char* file, int line);
}  // namespace kvcheck

#define KVCHECK_ASSERT(condition) \
    ((condition) ? void(0) : ::kvcheck::assertion_failed(#condition, __FILE__, __LINE__))
