// SPDX-License-Identifier: Apache-2.0
// Subjects that carry out one kind of command otherwise than they are told to.
#pragma once

#include "tests/properties/tampered.hpp"

namespace kvcheck {

/// A reset of one row resets all.
Tamper resets_all_rows_for_one();
/// One slot more than is taken back goes with it.
Tamper truncates_too_much();
/// A refusal of a length that a row does not have is not passed on.
Tamper ignores_a_cut_that_is_too_long();
/// The sources of a reorder are read from the last to the first.
Tamper reorders_backwards();
/// Of the slots that are evicted only the first three are hidden.
Tamper evicts_three_slots_at_most();
/// A finished row takes tokens as before.
Tamper finishes_nothing();

/// A parent that is not there is the slot before.
Tamper takes_any_parent();
/// A save resets the object that it saves.
Tamper forgets_what_it_saved();

}  // namespace kvcheck
