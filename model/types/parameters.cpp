// SPDX-License-Identifier: Apache-2.0
// Sizes of parameters; which arrays there are stands in arrays.cpp.
#include "model/types/parameters.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "model/types/arrays.hpp"
#include "model/types/error.hpp"
#include "model/types/ieee.hpp"

namespace kvcheck {
namespace {

/// The size that follows from the spec; 0 where it has no such array.
Index size_of(const ParameterArray& array, const Spec& spec, Index positions) {
    if (!array.exists(spec)) return 0;
    Index size = 1;
    for (const Index extent : array.extents(spec, positions)) size *= extent;
    return size;
}

/// "[1][0]": which of an array's numbers number n is, as in a file.
std::string indices_text(Index n, const std::vector<Index>& extents) {
    std::string text;
    for (auto extent = extents.rbegin(); extent != extents.rend(); ++extent) {
        text.insert(0, "[" + std::to_string(n % *extent) + "]");
        n /= *extent;
    }
    return text;
}

}  // namespace

Index position_count(const Spec& spec, const Parameters& parameters) {
    if (spec.position_signal != PositionSignal::none && spec.model_width > 0)
        return Index(parameters.position_table.size()) / spec.model_width;
    if (spec.rotary == Rotary::none) return 0;
    return Index(parameters.rotary_table.size()) / spec.turned_width();
}

void validate(const Spec& spec, const Parameters& parameters, const std::string& place) {
    const Index positions = position_count(spec, parameters);
    for (const ParameterArray& array : parameter_arrays()) {
        const std::vector<float>& values = array.in(parameters);
        const std::string at = place + "." + array.path();
        const Index size = size_of(array, spec, positions);
        if (Index(values.size()) != size) {
            throw InputError(at, std::to_string(values.size()) + " values",
                             std::to_string(size) + ", as the spec says");
        }
        for (std::size_t n = 0; n < values.size(); ++n) {
            if (std::isfinite(values[n])) continue;
            throw InputError(at + indices_text(Index(n), array.extents(spec, positions)),
                             float_text(values[n]), "finite numbers");
        }
    }
}

Parameters zero_parameters(const Spec& spec, Index positions) {
    Parameters parameters;
    for (const ParameterArray& array : parameter_arrays()) {
        array.in(parameters).resize(std::size_t(size_of(array, spec, positions)));
    }
    return parameters;
}

void widen_rotary_table(const Spec& before, const Spec& spec, Parameters& parameters) {
    const Index pairs = spec.turned_width() / 2;
    const Index pairs_before = before.turned_width() / 2;
    if (pairs == pairs_before || pairs == 0 || pairs_before == 0) return;
    const Index positions = position_count(before, parameters);
    const std::vector<float> table = std::move(parameters.rotary_table);
    parameters.rotary_table.clear();
    for (Index id = 0; id < positions; ++id) {
        const auto row = table.begin() + id * 2 * pairs_before;
        for (const float of_more : {1.0F, 0.0F}) {
            const auto part = row + (of_more == 0 ? pairs_before : 0);
            for (Index pair = 0; pair < pairs; ++pair) {
                parameters.rotary_table.push_back(pair < pairs_before ? part[pair] : of_more);
            }
        }
    }
}

void drop_what_the_spec_lacks(const Spec& spec, Parameters& parameters) {
    for (const ParameterArray& array : parameter_arrays()) {
        if (!array.exists(spec)) array.in(parameters).clear();
    }
}

}  // namespace kvcheck
