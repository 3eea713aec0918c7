// SPDX-License-Identifier: Apache-2.0
// Derivatives of the operations of a decoder, for the adjoint bound.
#pragma once

#include <vector>

#include "model/attention.hpp"
#include "oracles/decoder/columns.hpp"

namespace kvcheck {

/// From derivatives by norm(x) to those by x.
Columns through_norm(const DecoderSpec& spec, const NormParameters& parameters,
                     const std::vector<double>& x, const Columns& by_normed);

/// Of an activation by its gate and by its up projection; without a gate by the latter alone.
struct ActivationSlopes {
    std::vector<double> gate, up;
};
ActivationSlopes activation_slopes(const DecoderSpec& spec, const std::vector<double>& gate,
                                   const std::vector<double>& up);

/// From derivatives by rotated heads to those by the heads: the rotation backwards.
void turn_back(const DecoderSpec& spec, const DecoderParameters& parameters, Index id,
               Columns& heads);

/// What attention_bound reads, of a query [H*Dk] with radii that saw `seen`.
HeadFacts head_facts(const DecoderSpec& spec, const std::vector<ReadToken<double>>& tokens,
                     const Attended<double>& seen, Index head, Index query_id,
                     const std::vector<double>& query, const Radii& query_radius);

/// The reserve of a sum of first order for what it leaves out (docs/error_bound.md, section 15).
double with_second_order(double radius);

}  // namespace kvcheck
