// SPDX-License-Identifier: Apache-2.0
// Decoders broken on purpose, one fault each, and the operation whose taps show it.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "impl/plain/decoder.hpp"

namespace kvcheck {

struct DecoderMutant {
    std::string_view name;
    std::string_view what;
    std::string_view shown_by;  // the operation, by the name that the oracle has for it
    /// What a decoder must have for the fault to be one.
    enum class Needs { nothing, table, rotary_alone } needs = Needs::nothing;
    bool in_first_call = false;  // shows without a cache
    /// Changes logits by no more than roundings may: only taps show it for certain.
    bool below_rounding = false;
    std::shared_ptr<const DecoderRules> rules;
    std::shared_ptr<const PlainRules> attention_rules;

    bool applies_to(const DecoderSpec& spec) const;
};

const std::vector<DecoderMutant>& decoder_mutants();
/// The one of this name. Needs: there is one.
const DecoderMutant& decoder_mutant(std::string_view name);

}  // namespace kvcheck
