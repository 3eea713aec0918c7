// SPDX-License-Identifier: Apache-2.0
// Subjects that do something else at their capacity than they declare.
#pragma once

#include "tests/properties/tampered.hpp"

namespace kvcheck {

/// The slots of a ring buffer come round again, and what they held is gone.
Tamper begins_anew_beyond_its_capacity();
/// Of a row that is full one slot too many, or too few, stays visible.
Tamper keeps_one_slot_too_many();
Tamper keeps_one_slot_too_few();
/// Right, but for what it declares.
Tamper declares_to_be_unbounded_and_refuses();
/// A call of one token onto a full row is taken, and goes nowhere.
Tamper lets_a_decoder_overrun();

}  // namespace kvcheck
