// SPDX-License-Identifier: Apache-2.0
// Which declared feature the failing cases of a subject have in common, found by trying: without it
// other random cases hold. For somebody who writes a subject; a run asks no such question.
#pragma once

#include <optional>

#include "impl/subject.hpp"

namespace kvcheck {

/// Where fewer of the cases fail, as many without a feature may all hold by chance: with one of
/// them every third time, with five once in 150 times.
constexpr Index blame_failures_least = 5;

struct Blame {
    Index cases = 0;   // that were judged
    Index failed = 0;  // of them
    /// All cases that failed need it, and as many cases that do not need it hold; nothing where no
    /// feature is so, or too few failed to tell.
    std::optional<Feature> feature;
};

/// Judges outputs and weights of `cases` random cases at each level that the subject has, the same
/// as propose_profile(), and for each feature that those which failed have in common as many
/// without it.
Blame find_blame(Subject& subject, Index cases);

}  // namespace kvcheck
