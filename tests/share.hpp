// SPDX-License-Identifier: Apache-2.0
// How much of its whole count a test tries. The environment variable KVCHECK_TEST_SHARE is a
// percentage: a sanitized program takes ten times as long for a case and finds in a tenth of them
// whatever it finds in memory.
#pragma once

#include <algorithm>
#include <cstdlib>

#include "model/types/spec.hpp"

namespace kvcheck {

/// That percentage of `whole`, but no fewer than `least`; all of it without the variable.
inline Index share_of(Index whole, Index least = 1) {
    const char* const text = std::getenv("KVCHECK_TEST_SHARE");
    return text == nullptr ? whole : std::max(least, whole * Index{std::atoll(text)} / 100);
}

}  // namespace kvcheck
