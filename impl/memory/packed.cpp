// SPDX-License-Identifier: Apache-2.0
// Elements copied by runs (declared in packed.hpp).
#include "impl/memory/packed.hpp"

#include <cstring>

namespace kvcheck {
namespace {

/// Calls visit(data, bytes) with the elements in order, as many at a time as lie side by side.
template <class Byte, class Visit>
void for_each_run(const BasicView<Byte>& view, const Visit& visit) {
    const auto size = Index(size_of(view.type));
    int outer = view.shape.rank;  // dimensions that a run does not cover
    Index run = 1;
    for (; outer > 0; --outer) {
        const auto d = std::size_t(outer - 1);
        if (view.shape.extent[d] != 1 && view.stride[d] != run) break;
        run *= view.shape.extent[d];
    }
    if (view.shape.size() == 0) return;
    const auto walk = [&](const auto& self, int dimension, Index offset) -> void {
        if (dimension == outer) return visit(view.data + offset * size, std::size_t(run * size));
        const auto d = std::size_t(dimension);
        for (Index i = 0; i < view.shape.extent[d]; ++i) {
            self(self, dimension + 1, offset + i * view.stride[d]);
        }
    };
    walk(walk, 0, 0);
}

}  // namespace

void pack(const InputView& view, std::byte* target) {
    for_each_run(view, [&](const std::byte* data, std::size_t bytes) {
        std::memcpy(target, data, bytes);
        target += bytes;
    });
}

void unpack(const std::byte* source, const OutputView& view) {
    for_each_run(view, [&](std::byte* data, std::size_t bytes) {
        std::memcpy(data, source, bytes);
        source += bytes;
    });
}

}  // namespace kvcheck
