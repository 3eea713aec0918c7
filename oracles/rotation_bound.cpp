// SPDX-License-Identifier: Apache-2.0
// Two products and a sum for each element (declared in rotation_bound.hpp).
#include "oracles/rotation_bound.hpp"

#include <algorithm>
#include <cmath>

#include "model/rotary.hpp"

namespace kvcheck {

RotationBound rotation_bound(const Rounding& rounding, const Spec& spec, const float* row,
                             const std::vector<double>& size, const std::vector<double>& radius) {
    RotationBound bound{radius};
    // `own` is multiplied by the cosine, `other` by the sine.
    const auto turn = [&](std::size_t own, std::size_t other, double cosine, double sine) {
        const double own_most = size[own] + radius[own];
        const double other_most = size[other] + radius[other];
        DotFacts facts;
        facts.n = 2;
        facts.spread = cosine * radius[own] + sine * radius[other];
        facts.magnitude = cosine * own_most + sine * other_most;
        facts.weight_sum = cosine + sine;
        facts.input_sum = own_most + other_most;
        bound.magnitude = std::max(bound.magnitude, facts.magnitude);
        bound.radius[own] = dot_radius(rounding, facts);  // (11')
    };
    for (std::size_t head = 0; head < size.size(); head += std::size_t(spec.key_width)) {
        for (Index i = 0; i < spec.turned_width() / 2; ++i) {
            const RotaryPair pair = rotary_pair(spec, i);
            const double cosine = std::fabs(double(row[pair.cosine]));
            const double sine = std::fabs(double(row[pair.sine]));
            const std::size_t first = head + std::size_t(pair.first);
            const std::size_t second = head + std::size_t(pair.second);
            turn(first, second, cosine, sine);
            turn(second, first, cosine, sine);
        }
    }
    return bound;
}

}  // namespace kvcheck
