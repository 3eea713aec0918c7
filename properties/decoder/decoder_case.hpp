// SPDX-License-Identifier: Apache-2.0
// A case for a decoder: its conventions, its parameters, and a program of the same commands as at
// the lower levels, in which a token's input is one number, its id.
#pragma once

#include <vector>

#include "model/case.hpp"
#include "model/types/decoder_spec.hpp"
#include "properties/generators/draw.hpp"

namespace kvcheck {

struct DecoderCase {
    DecoderSpec spec;
    DecoderParameters parameters;
    std::vector<Command> program;
};

/// What of the lower levels a decoder case may have: all but narrow storage, scales and offsets
/// that are given, and outputs of padding.
FeatureSet features_of_decoders();

/// Draws heads, padding, calls and commands as for a case of the attention level, and a stack
/// around them.
DecoderCase draw_decoder_case(Draw& draw);

}  // namespace kvcheck
