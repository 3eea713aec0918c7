// SPDX-License-Identifier: Apache-2.0
// The worst program that a profile permits: every rounding as large as declared, each in the
// direction that moves one output element furthest. Played in fifty digits. If it comes near the
// bound, no factor was lost in the derivation; if it exceeded it, the bound would be wrong.
#pragma once

#include <cstddef>

#include "model/case.hpp"
#include "oracles/truth.hpp"

namespace kvcheck {

/// The largest error the adversary reaches on output element `d` of `head` at `slot`, divided by
/// the bound. Needs: a real token in the domain.
double adversary_ratio(const Spec& spec, const NumericProfile& profile,
                       const std::vector<Token>& tokens, std::size_t slot, Index head, Index d,
                       const Answer& answer);

}  // namespace kvcheck
