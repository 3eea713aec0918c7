// SPDX-License-Identifier: Apache-2.0
// The decisions of attention that are easily got wrong, each a function of its own: which keys a
// query sees, what a score is, which key/value head a query head reads, which position id a token
// has. What is here is right; a wrong model of one of them (a hypothesis about a fault) overrides
// exactly one. Clauses 1, 2, 3 and 5 of docs/contract.md.
#pragma once

#include <cmath>

#include "model/history.hpp"
#include "model/types/parameters.hpp"

namespace kvcheck {

template <class Scalar>
class Rules {
public:
    virtual ~Rules() = default;

    /// True where the query sees the key, two tokens of one path (clauses 3, 10 and 16).
    virtual bool sees(const Spec& spec, const Node& query, const Node& key) const {
        if (key.depth > query.depth || !key.token.real || query.hides(key.depth)) return false;
        const bool is_anchor = key.real_before < spec.anchors.value_or(0);
        return !spec.window || query.depth - key.depth < *spec.window || is_anchor;
    }

    /// The score of a visible key from q.k, with the exact scale (clause 1).
    virtual Scalar score(const Spec& spec, const Scalar& product, const Scalar& scale,
                         const Node& /*query*/, const Node& /*key*/) const {
        using std::tanh;
        Scalar score = product * scale;
        if (!spec.softcap) return score;
        const Scalar cap(*spec.softcap);
        return cap * tanh(Scalar(score / cap));
    }

    /// What is added to the score of a visible key, for one query head (clause 1).
    virtual Scalar bias(const Spec& spec, const Parameters& parameters, Index query_head,
                        const Node& query, const Node& key) const {
        if (!spec.slopes) return Scalar(0);
        const Index distance = unshifted_id(spec, query) - unshifted_id(spec, key);
        return Scalar(-parameters.slopes[std::size_t(query_head)]) * Scalar(float(distance));
    }

    /// The key/value head that a query head reads (clause 2).
    virtual Index kv_head(const Spec& spec, Index query_head) const {
        return query_head / (spec.query_heads / spec.kv_heads);
    }

    /// The position id of a token: its row of a table, its end of a distance (clause 5).
    virtual Index position_id(const Spec& spec, const Node& token) const {
        return kvcheck::position_id(spec.position_ids, token);
    }

    /// The same before any shift, from which distances are taken: a shift lowers both ends alike.
    Index unshifted_id(const Spec& spec, const Node& token) const {
        return position_id(spec, token) + token.shifted;
    }
};

}  // namespace kvcheck
