// SPDX-License-Identifier: Apache-2.0
// What the checker may ask of a subject or leave out, without a word about what is right: weights,
// row numbers and exports between the calls, query offsets, where the arrays lie. A subject may
// have another path for each; so it is drawn for each case and not fixed.
#pragma once

#include "properties/drive/drive.hpp"

namespace kvcheck {

/// Drawn from the shapes, counts and validity of a case: equal for two cases that may be compared
/// bit by bit (clause 0), and the same whenever a file is replayed.
DriveOptions asked_for(const Case& test_case);
/// The same, and the weights in any case.
DriveOptions asked_with_weights(const Case& test_case);

/// Everything that can be asked for, and nothing but the outputs.
DriveOptions everything(const Case& test_case);
DriveOptions outputs_only();

/// The case with query offsets in every call, or in none.
Case with_offsets(const Case& test_case);
Case without_offsets(const Case& test_case);

}  // namespace kvcheck
