// SPDX-License-Identifier: Apache-2.0
// The bound of a logit, or of a key or value of a deeper layer, where a subject shows nothing of
// what lies between: the local bound of every operation before it, weighted with the derivative of
// the result by that operation's own (Linnainmaa 1976). Of first order, with a reserve: section 15
// of docs/error_bound.md.
#pragma once

#include <memory>
#include <vector>

#include "oracles/decoder/columns.hpp"
#include "oracles/decoder/local_bound.hpp"
#include "oracles/decoder/truth.hpp"

namespace kvcheck {

class AdjointBound {
public:
    /// Keeps references: all three outlive it.
    AdjointBound(const DecoderSpec& spec, const DecoderParameters& parameters,
                 const DecoderArithmetic& arithmetic, const DecoderTruth& truth);
    ~AdjointBound();
    AdjointBound(const AdjointBound&) = delete;
    AdjointBound& operator=(const AdjointBound&) = delete;

    /// [V] of a real token. Infinite where a correct program may overflow.
    Radii logits(std::size_t token) const;
    /// [Hkv*Dk] and [Hkv*Dv] of a layer, as stored.
    Radii stored_key(std::size_t token, std::size_t layer) const;
    Radii stored_value(std::size_t token, std::size_t layer) const;

    /// The derivatives of a token's logits by what the first layer is given of each token up to it:
    /// [tokens], each [D][V]. Every derivative that the bound is made of is a factor of these.
    std::vector<Columns> logits_by_input(std::size_t token) const;

private:
    class Sweep;
    struct Locals;
    Columns by_normed(bool each) const;
    const DecoderSpec& spec_;
    const DecoderParameters& parameters_;
    const DecoderTruth& truth_;
    std::unique_ptr<Locals> locals_;
};

}  // namespace kvcheck
