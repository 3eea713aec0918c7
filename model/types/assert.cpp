// SPDX-License-Identifier: Apache-2.0
// How a broken assertion ends the program (declared in assert.hpp).
#include "model/types/assert.hpp"

#include <cstdio>
#include <cstdlib>

namespace kvcheck {

void assertion_failed(const char* condition, const char* file, int line) {
    std::fprintf(stderr, "kvcheck has a bug: %s does not hold (%s:%d)\n", condition, file, line);
    std::abort();
}

}  // namespace kvcheck
