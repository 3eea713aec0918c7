// SPDX-License-Identifier: Apache-2.0
// The other end of the child protocol: makes any subject a child that answers. It runs beside
// the subject, so the memory that it hands over is guarded here, and what a guard saw travels back.
#pragma once

#include <iosfwd>

#include "impl/protocol/standard_output.hpp"
#include "impl/subject.hpp"

namespace kvcheck {

/// Answers requests, lines and frames, until `in` ends. What the subject prints is answered as its
/// death.
void serve(Subject& subject, std::istream& in, StandardOutput& out);

}  // namespace kvcheck
