// SPDX-License-Identifier: Apache-2.0
// Causal attention with grouped heads as plain loops over any scalar type: clauses 1 to 4 and 17 of
// docs/contract.md, nothing else. A scalar needs + - * /, comparison and exp; the reference runs
// this at fifty digits. No cache appears here: a row is the sequence of all its tokens, or
// one path of a tree.
#pragma once

#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "model/rules.hpp"

namespace kvcheck {

/// One token of a row as later queries read it. The vectors may be empty where it is padding.
template <class Scalar>
struct ReadToken {
    const Node* node;
    const std::vector<Scalar>* key;    // [Hkv*Dk]
    const std::vector<Scalar>* value;  // [Hkv*Dv]
};

/// What one query of one head gets from the keys it sees.
template <class Scalar>
struct Attended {
    std::vector<std::size_t> keys;  // which tokens of the row are visible, ascending; empty: dead
    std::vector<Scalar> scores;     // [keys]
    std::vector<Scalar> weights;    // [keys], they sum to one, or with that of the sink
    std::optional<Scalar> sink;     // its weight, where there is one
    std::vector<Scalar> output;     // [Dv]; empty for a dead row
    /// The log-sum-exp of the scores, and the sink's, is largest + log(sum); not of a dead row.
    Scalar largest = Scalar(0);
    Scalar sum = Scalar(0);  // of exp(score - largest)
};

/// softmax(scale * q.k) v over the visible keys, for one query head of the last token of `row`,
/// whose query is q[H*Dk]. A sink is one key more, whose value is zero.
template <class Scalar>
Attended<Scalar> attend(const Spec& spec, const Parameters& parameters, const Rules<Scalar>& rules,
                        std::span<const ReadToken<Scalar>> row, const std::vector<Scalar>& query,
                        Index head, const Scalar& scale) {
    using std::exp;
    const Node& asking = *row.back().node;
    const auto at = [](const std::vector<Scalar>& vector, Index i) -> const Scalar& {
        return vector[std::size_t(i)];
    };
    const Index kv_head = rules.kv_head(spec, head);
    Attended<Scalar> result;
    for (std::size_t n = 0; n < row.size(); ++n) {
        if (rules.sees(spec, asking, *row[n].node)) result.keys.push_back(n);
    }
    if (result.keys.empty() && !spec.sinks) return result;

    for (const std::size_t key : result.keys) {
        Scalar product(0);
        for (Index d = 0; d < spec.key_width; ++d) {
            product += at(query, head * spec.key_width + d) *
                       at(*row[key].key, kv_head * spec.key_width + d);
        }
        result.scores.push_back(rules.score(spec, product, scale, asking, *row[key].node) +
                                rules.bias(spec, parameters, head, asking, *row[key].node));
    }
    if (spec.sinks) result.sink = Scalar(parameters.sinks[std::size_t(head)]);
    Scalar largest = result.sink ? *result.sink : result.scores.front();
    for (const Scalar& score : result.scores) largest = score > largest ? score : largest;

    Scalar sum(0);
    for (const Scalar& score : result.scores) {
        const Scalar difference = score - largest;
        result.weights.push_back(exp(difference));
        sum += result.weights.back();
    }
    if (result.sink) {
        const Scalar difference = *result.sink - largest;
        result.sink = exp(difference);
        sum += *result.sink;
        *result.sink /= sum;
    }
    for (Scalar& weight : result.weights) weight /= sum;
    result.largest = largest;
    result.sum = sum;

    for (Index d = 0; d < spec.value_width; ++d) {
        Scalar output(0);
        for (std::size_t n = 0; n < result.keys.size(); ++n) {
            output +=
                result.weights[n] * at(*row[result.keys[n]].value, kv_head * spec.value_width + d);
        }
        result.output.push_back(output);
    }
    return result;
}

}  // namespace kvcheck
