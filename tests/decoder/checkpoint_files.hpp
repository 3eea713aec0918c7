// SPDX-License-Identifier: Apache-2.0
// Writes checkpoints and tokenizers as llama2.c does, so that tests need no file of anybody.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/types/decoder_spec.hpp"

namespace kvcheck {

/// A decoder that such a file can hold.
DecoderSpec checkpoint_spec(Index width, Index hidden, Index layers, Index heads, Index kv_heads,
                            Index vocabulary, Index positions, bool tied);

/// The bytes of its file.
std::string checkpoint_bytes(const DecoderSpec& spec, const DecoderParameters& parameters);

/// Tokens with their scores; the longest is found.
std::string tokenizer_bytes(const std::vector<std::pair<std::string, float>>& tokens);

void write_file(const std::string& path, const std::string& bytes);

}  // namespace kvcheck
