// SPDX-License-Identifier: Apache-2.0
// Cases for the tests of the model: drawn ones with hard numbers planted in them, and equality by
// bits, which Case's own equality is not for parameters and scale.
#pragma once

#include <cstdint>

#include "model/case.hpp"

namespace kvcheck {

/// A valid case, a pure function of the seed; the levels alternate, the families take turns.
Case generated_case(std::uint64_t seed);

/// Equal in every bit of every number; each NaN counts as the same NaN.
bool same_case(const Case& a, const Case& b);

}  // namespace kvcheck
