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
    static constexpr Index offset_max = 15;
    static constexpr Index span_max = Index{1} << 28;

    ElementType type = ElementType::f32;
    Shape shape;
    Placement placement;

    /// What a view must have less of, where it would take more memory than any call does; null
    /// where it is small enough. Needs: extents and strides from 0 to span_max.
    const char* too_much() const;
};
template <class Byte>
ViewClaim claim_of(const BasicView<Byte>& view) {
    return {view.type, view.shape, placement_of(view)};
}
Json wire_json(const ViewClaim& claim);
/// Throws InputError, also for one that is too_much().
ViewClaim claim_from_wire(const JsonPlace& place);

/// What a program says in its hello beside its capabilities.
struct Manners {
    bool has_memory = false;    // it hands out real arrays and wants the claims of their views
    bool takes_frames = false;  // requests may be frames (frame.hpp)

    bool operator==(const Manners&) const = default;
};
Json wire_json(const Capabilities& capabilities, const Manners& manners);
/// Throws InputError; what is left out has its default.
Capabilities capabilities_from_wire(const JsonPlace& place);
Manners manners_from_wire(const JsonPlace& place);

}  // namespace kvcheck
