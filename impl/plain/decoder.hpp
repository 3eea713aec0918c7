// SPDX-License-Identifier: Apache-2.0
// The textbook decoder with Eigen: one cache for each layer, driven in chunks. DecoderRules are the
// decisions of the stack that are easily got wrong, each a function of its own, so that a mutant
// can get exactly one of them wrong; those within attention are PlainRules.
#pragma once

#include <memory>

#include "impl/decoder.hpp"
#include "impl/plain/rules.hpp"

namespace kvcheck {

/// A call as a layer of the stack sees it.
struct CallPlace {
    Index layer;
    Index past;    // of the row, before the call
    Index tokens;  // of the row in the call
};

class DecoderRules {
public:
    virtual ~DecoderRules() = default;

    /// Which layer's cache the layer extends and reads: its own.
    virtual Index cache_of(const CallPlace& call) const { return call.layer; }
    /// False where the cache forgets the call's tokens after they were attended to.
    virtual bool keeps(const CallPlace&) const { return true; }
    /// False where keys and values are formed of the input before its norm.
    virtual bool stores_normed(const CallPlace&) const { return true; }
    /// False where the input is not added again to what attention gives.
    virtual bool adds_residual(const CallPlace&) const { return true; }
    /// False where logits are formed of the last layer's output as it is.
    virtual bool ends_with_norm(const CallPlace&) const { return true; }
    /// eps of a norm.
    virtual float epsilon(float given) const { return given; }
    /// What a SwiGLU takes for its gate; the other takes its place.
    virtual bool swaps_gate(const CallPlace&) const { return false; }
    /// SwiGLU where there is no gate: SiLU of the up projection.
    virtual Activation activation(const CallPlace&, Activation given) const { return given; }
    /// The row of the position table, given the right one and the number of the token in its call.
    virtual Index table_row(Index id, Index /*index*/) const { return id; }
};

/// The given rules outlive nothing: they are shared. Scalar is float or double.
/// Throws InputError where spec or parameters contradict themselves.
template <class Scalar>
std::unique_ptr<Decoder> make_plain_decoder(
    const DecoderSpec& spec, const DecoderParameters& parameters,
    std::shared_ptr<const DecoderRules> rules = std::make_shared<DecoderRules>(),
    std::shared_ptr<const PlainRules> attention_rules = std::make_shared<PlainRules>());

}  // namespace kvcheck
