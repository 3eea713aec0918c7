// SPDX-License-Identifier: Apache-2.0
// The exact inputs that are not tokens: projections, biases and position table of a layer, slopes,
// sinks and rotary table of attention. A projection is row-major [out][in] and gives out = W in +
// b.
#pragma once

#include <string>
#include <vector>

#include "model/types/spec.hpp"

namespace kvcheck {

struct Projection {
    std::vector<float> weight;  // [out][in]
    std::vector<float> bias;    // [out], empty where spec.biases is false

    bool operator==(const Projection&) const = default;
};

struct Parameters {
    Projection query;                   // [H*Dk][D]
    Projection key;                     // [Hkv*Dk][D]
    Projection value;                   // [Hkv*Dv][D]
    Projection output;                  // [D][H*Dv]
    std::vector<float> position_table;  // [positions][D], empty where the signal is none
    std::vector<float> slopes;          // [H], empty without spec.slopes
    std::vector<float> sinks;           // [H], empty without spec.sinks
    /// [positions][w]: of pair i the cosine at i, the sine at w/2 + i; empty where nothing is
    /// turned
    std::vector<float> rotary_table;

    bool operator==(const Parameters&) const = default;
};

/// Rows of the position tables, equally many in both; a token whose id is not below it is refused
/// (clause 5).
Index position_count(const Spec& spec, const Parameters& parameters);

/// All zero, of the sizes the spec asks for; `positions` rows of each table that there is.
Parameters zero_parameters(const Spec& spec, Index positions);

/// Makes the rotary table, which is that of `before`, as wide as the spec says: of fewer pairs
/// those that remain, of more pairs a cosine of one and a sine of zero, which turn nothing.
void widen_rotary_table(const Spec& before, const Spec& spec, Parameters& parameters);

/// Empties the arrays that the spec has no use for.
void drop_what_the_spec_lacks(const Spec& spec, Parameters& parameters);

/// Throws InputError where a size does not follow from the spec or a value is not finite.
void validate(const Spec& spec, const Parameters& parameters,
              const std::string& place = "parameters");

}  // namespace kvcheck
