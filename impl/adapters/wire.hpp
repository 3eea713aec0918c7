// SPDX-License-Identifier: Apache-2.0
// How arrays and capabilities travel as JSON (docs/protocol.md): between typed, strided views and
// nested arrays of numbers. Both ends of a child's pipes use it.
#pragma once

#include "model/types/capabilities.hpp"
#include "model/types/json.hpp"
#include "model/types/view.hpp"

namespace kvcheck {

/// A view as nested arrays, outermost dimension first.
Json wire_json(const InputView& view);

/// Writes nested arrays into a view of the same shape; null leaves an element as it is. Throws
/// InputError where the shapes differ.
void read_wire(const JsonPlace& place, const OutputView& view);

/// The extents of nested arrays as their first elements have them; behind an empty array, where
/// they cannot be seen, those of `expected`.
Shape wire_shape(const JsonPlace& place, const Shape& expected);

Json wire_json(const Capabilities& capabilities);
/// Throws InputError; what is left out has its default.
Capabilities capabilities_from_wire(const JsonPlace& place);

}  // namespace kvcheck
