// SPDX-License-Identifier: Apache-2.0
// Answers of a row (declared in expected.hpp).
#include "oracles/decoder/expected.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kvcheck {

ExpectedRow expected_row(const DecoderSpec& spec, const DecoderParameters& parameters,
                         const DecoderArithmetic& arithmetic, const DecoderTruth& truth) {
    const AdjointBound bound(spec, parameters, arithmetic, truth);
    ExpectedRow row;
    row.logits.resize(truth.tokens.size());
    row.keys.assign(std::size_t(spec.layers), row.logits);
    row.values.assign(std::size_t(spec.layers), row.logits);
    for (std::size_t t = 0; t < truth.tokens.size(); ++t) {
        if (!truth.tokens[t].real) continue;
        row.logits[t] = answers_of(truth.high[t].logits, truth.low[t].logits, bound.logits(t));
        for (std::size_t l = 0; l < row.keys.size(); ++l) {
            const LayerTrace<double>& high = truth.high[t].layers[l];
            const LayerTrace<double>& low = truth.low[t].layers[l];
            row.keys[l][t] = answers_of(high.stored_key, low.stored_key, bound.stored_key(t, l));
            row.values[l][t] =
                answers_of(high.stored_value, low.stored_value, bound.stored_value(t, l));
        }
    }
    return row;
}

void WorstError::add(const std::vector<double>& seen, const std::vector<Answer>& right) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (seen.size() != right.size()) error = ratio = infinity;
    for (std::size_t i = 0; i < std::min(seen.size(), right.size()); ++i) {
        if (std::isinf(right[i].bound)) continue;  // outside the domain
        const Deviation deviation = deviation_of(seen[i], right[i], 53);
        error = std::max(error, deviation.error);
        if (!(deviation.ratio <= ratio)) ratio = deviation.ratio;
        bound = std::max(bound, right[i].bound);
    }
    numbers += seen.size();
}

void WorstError::add(const WorstError& other) {
    error = std::max(error, other.error);
    ratio = std::max(ratio, other.ratio);
    bound = std::max(bound, other.bound);
    numbers += other.numbers;
}

}  // namespace kvcheck
