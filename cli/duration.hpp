// SPDX-License-Identifier: Apache-2.0
// A length of time as it is typed: a positive number and its unit.
#pragma once

#include <chrono>
#include <string>

namespace kvcheck {

/// `text` is a number followed by ms, s or m, as in 60s. Throws InputError, which names `flag`.
std::chrono::milliseconds duration_of(const std::string& flag, const std::string& text);

}  // namespace kvcheck
