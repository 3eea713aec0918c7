// SPDX-License-Identifier: Apache-2.0
// Sessions of the fast subject that are driven by hand.
#pragma once

#include <vector>

#include "bench/dense_call.hpp"

namespace kvcheck {

/// All outputs of a session that is given `calls` calls of these numbers of tokens.
std::vector<float> outputs_of(Subject& subject, const Spec& spec, const Parameters& parameters,
                              const std::vector<Index>& calls);

}  // namespace kvcheck
