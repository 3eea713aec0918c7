// SPDX-License-Identifier: Apache-2.0
// Random decoders of a given shape, and random tokens: the same numbers on every compiler.
#pragma once

#include <cstdint>
#include <vector>

#include "model/types/decoder_spec.hpp"

namespace kvcheck {

/// Matrices whose products keep the size of what they multiply, about; gains near one. Tables of
/// sines are those of clause 5, with base 10000 and `rotary_rows` rows; slopes are 2^-1, 2^-2, ...
DecoderParameters drawn_decoder(const DecoderSpec& spec, Index rotary_rows, std::uint64_t seed);

/// Ids below the vocabulary.
std::vector<Index> drawn_tokens(const DecoderSpec& spec, Index count, std::uint64_t seed);

}  // namespace kvcheck
