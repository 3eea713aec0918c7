// SPDX-License-Identifier: Apache-2.0
// How arrays and capabilities travel as JSON (docs/protocol.md): between typed, strided views and
// nested arrays of numbers. Both ends of a child's pipes use it.
#pragma once

#include "impl/memory/placement.hpp"
#include "model/types/capabilities.hpp"
#include "model/types/json.hpp"
#include "model/types/view.hpp"

namespace kvcheck {

/// A view as nested arrays, outermost dimension first.
Json wire_json(const InputView& view);

/// Writes nested arrays into a view of the same shape; null leaves an element as it is. Throws
/// InputError where the shapes differ.
void read_wire(const JsonPlace& place, const OutputView& view);

/// What a view says of itself, without its elements.
struct ViewClaim {
    ElementType type = ElementType::f32;
    Shape shape;
    Placement placement;
};
template <class Byte>
ViewClaim claim_of(const BasicView<Byte>& view) {
    return {view.type, view.shape, placement_of(view)};
}
Json wire_json(const ViewClaim& claim);
/// Throws InputError, also for one that would take more memory than any call does.
ViewClaim claim_from_wire(const JsonPlace& place);

/// `has_memory`: this subject is handed real arrays and wants the claims of their views.
Json wire_json(const Capabilities& capabilities, bool has_memory);
/// Throws InputError; what is left out has its default.
Capabilities capabilities_from_wire(const JsonPlace& place);
bool has_memory_from_wire(const JsonPlace& place);

}  // namespace kvcheck
