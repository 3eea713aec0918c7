// SPDX-License-Identifier: Apache-2.0
// A verdict in one sentence for people: which run of the case, where, what was seen, what is right.
#pragma once

#include <string>

#include "oracles/verdict.hpp"

namespace kvcheck {

std::string sentence_of(const Verdict& verdict);

}  // namespace kvcheck
