// SPDX-License-Identifier: Apache-2.0
// Hashes of cases: of one, for the names of files and for what a shrinker has tried, and of a
// stream of them, by which runs are compared. Over the values themselves; texts are made for files
// alone.
#pragma once

#include <cstdint>

#include "model/case.hpp"

namespace kvcheck {

/// A hash of everything that a case holds, numbers by their bits (0 and -0 differ, every NaN is the
/// same one, as in files); the same on every compiler and platform. Cases that differ in a
/// single number of the spec, of a parameter or of a token never have the same hash; those that
/// differ in more, or in a command that brings no token, have it by accident only.
std::uint64_t hash_of(const Case& test_case);

/// The hash of a stream of cases that goes on with `next`; `before` is that of the cases so far, of
/// none 0.
std::uint64_t stream_hash(std::uint64_t before, const Case& next);

}  // namespace kvcheck
