// SPDX-License-Identifier: Apache-2.0
// Causal attention with grouped heads as plain loops over any scalar type: clauses 1 to 4 of
// docs/contract.md, nothing else. A scalar needs + - * /, comparison and exp; the reference runs
// this at fifty digits. No cache appears here: a row is the sequence of all its tokens.
#pragma once

#include <cmath>
#include <vector>

#include "model/cache_state.hpp"

namespace kvcheck {

/// What one query of one head gets from the keys it sees.
template <class Scalar>
struct Attended {
    std::vector<Index> keys;      // slots of the visible keys, ascending; empty: a dead row
    std::vector<Scalar> scores;   // [keys]
    std::vector<Scalar> weights;  // [keys], they sum to one
    std::vector<Scalar> output;   // [Dv]; empty for a dead row
};

/// The key/value head that a query head reads (clause 2).
inline Index kv_head_of(Index query_head, Index query_heads, Index kv_heads) {
    return query_head / (query_heads / kv_heads);
}

/// One row's tokens, projected: what attention reads.
template <class Scalar>
struct HeadInputs {
    std::vector<std::vector<Scalar>> query;  // [slots][H*Dk]
    std::vector<std::vector<Scalar>> key;    // [slots][Hkv*Dk]; not read where the token is padding
    std::vector<std::vector<Scalar>> value;  // [slots][Hkv*Dv]; likewise
};

/// softmax(scale * q.k) v over the keys visible to the query at `slot`, for query head `head`.
template <class Scalar>
Attended<Scalar> attend(const Spec& spec, const RowState& row, const HeadInputs<Scalar>& in,
                        Index slot, Index head, const Scalar& scale) {
    using std::exp;
    const auto at = [](const auto& vectors, Index n) -> const auto& {
        return vectors[std::size_t(n)];
    };
    const Index kv_head = kv_head_of(head, spec.query_heads, spec.kv_heads);
    Attended<Scalar> result;
    for (Index key = 0; key <= slot; ++key) {
        if (row.sees(slot, key)) result.keys.push_back(key);
    }
    if (result.keys.empty()) return result;

    for (const Index key : result.keys) {
        Scalar score(0);
        for (Index d = 0; d < spec.key_width; ++d) {
            score += at(at(in.query, slot), head * spec.key_width + d) *
                     at(at(in.key, key), kv_head * spec.key_width + d);
        }
        result.scores.push_back(score * scale);
    }
    Scalar largest = result.scores.front();
    for (const Scalar& score : result.scores) largest = score > largest ? score : largest;

    Scalar sum(0);
    for (const Scalar& score : result.scores) {
        const Scalar difference = score - largest;
        result.weights.push_back(exp(difference));
        sum += result.weights.back();
    }
    for (Scalar& weight : result.weights) weight /= sum;

    for (Index d = 0; d < spec.value_width; ++d) {
        Scalar output(0);
        for (std::size_t n = 0; n < result.keys.size(); ++n) {
            output += result.weights[n] *
                      at(at(in.value, result.keys[n]), kv_head * spec.value_width + d);
        }
        result.output.push_back(output);
    }
    return result;
}

}  // namespace kvcheck
