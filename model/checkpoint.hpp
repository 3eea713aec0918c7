// SPDX-License-Identifier: Apache-2.0
// Checkpoints of llama2.c (Karpathy 2023), version 0, as decoders: RMSNorm, rotary positions of
// neighbouring elements with base 10000, SwiGLU, no biases. Seven 32-bit integers (width, MLP
// width, layers, query heads, key/value heads, vocabulary, positions; a negative vocabulary says
// that the output is not tied), then floats: embeddings; the norms before attention of all layers;
// all query matrices, all key, value and output matrices; the norms before the MLP; all gate, down
// and up matrices; the last norm; two tables that nobody reads; the output matrix where it is not
// tied.
#pragma once

#include <string>

#include "model/types/decoder_spec.hpp"

namespace kvcheck {

struct Checkpoint {
    DecoderSpec spec;
    DecoderParameters parameters;
};

/// The base of its rotary positions.
constexpr Index checkpoint_rotary_base = 10000;

/// One row. The rotary table, which the file does not hold, is left to the caller, with as many
/// rows as spec.attention.capacity. Throws InputError, naming the file and the place in it, where
/// anything is not as it must be.
Checkpoint read_checkpoint(const std::string& path);

}  // namespace kvcheck
