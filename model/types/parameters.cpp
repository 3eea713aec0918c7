// SPDX-License-Identifier: Apache-2.0
// Sizes of parameters; which arrays there are stands in arrays.cpp.
#include "model/types/parameters.hpp"

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

}  // namespace

Index position_count(const Spec& spec, const Parameters& parameters) {
    if (spec.position_signal == PositionSignal::none || spec.model_width == 0) return 0;
    return Index(parameters.position_table.size()) / spec.model_width;
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
        for (const float value : values) {
            if (!std::isfinite(value)) throw InputError(at, float_text(value), "finite numbers");
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

void drop_what_the_spec_lacks(const Spec& spec, Parameters& parameters) {
    for (const ParameterArray& array : parameter_arrays()) {
        if (!array.exists(spec)) array.in(parameters).clear();
    }
}

}  // namespace kvcheck
