// SPDX-License-Identifier: Apache-2.0
// How far a correct program's result of one operation of a decoder may be from the exact one, where
// the inputs of the operation are exact: section 15 of docs/error_bound.md has the equations.
// Projections and rotations are those of error_bound.hpp and rotation_bound.hpp. A radius
// is infinite where a correct program may overflow: nothing is compared then.
#pragma once

#include <vector>

#include "model/types/decoder_spec.hpp"
#include "oracles/error_bound.hpp"

namespace kvcheck {

/// What a decoder declares: the arithmetic of its operations, and of a rotary table that it makes
/// itself by how many roundings an angle is off, each relative to the angle; 0 where it reads the
/// given table.
struct DecoderArithmetic {
    NumericProfile profile;
    double angle_roundings = 0;
};

using Radii = std::vector<double>;

/// Of the norm of x. Two passes over x: the mean first, then the squares of what is left.
Radii norm_bound(const Rounding& rounding, const DecoderSpec& spec,
                 const NormParameters& parameters, const std::vector<double>& x);

/// Of W x + b, whose matrix has x.size() columns.
Radii product_bound(const Rounding& rounding, const std::vector<float>& weight,
                    const std::vector<float>& bias, const std::vector<double>& x);

/// Of a + b, given the exact sums.
Radii sum_bound(const Rounding& rounding, const std::vector<double>& sum);

/// Of the activations, given their exact inputs.
Radii activation_bound(const Rounding& rounding, const DecoderSpec& spec,
                       const std::vector<double>& gate, const std::vector<double>& up);

/// Of all heads of a query or a key, turned by the table's row `id`.
Radii turning_bound(const DecoderArithmetic& arithmetic, const Rounding& rounding,
                    const DecoderSpec& spec, const DecoderParameters& parameters, Index id,
                    const std::vector<double>& heads);

/// One head of one query beside the keys that it sees, as the bound of attention reads them.
struct HeadFacts {
    Index head = 0;
    double slots = 0;                               // up to the query's own, seen or not
    std::vector<double> query;                      // [Dk] of the head
    std::vector<double> query_radius;               // [Dk]
    std::vector<const std::vector<double>*> key;    // [keys] each [Hkv*Dk]
    std::vector<const std::vector<double>*> value;  // [keys] each [Hkv*Dv]
    std::vector<double> score;                      // [keys]
    std::vector<double> weight;                     // [keys]
    double sink_weight = 0;                         // where the spec has sinks
    std::vector<double> output;                     // [Dv]
    Index query_id = 0;
};

/// Of the head's output, [Dv].
Radii attention_bound(const Rounding& rounding, const DecoderSpec& spec,
                      const DecoderParameters& parameters, Index kv_head, const HeadFacts& facts);

}  // namespace kvcheck
