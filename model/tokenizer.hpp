// SPDX-License-Identifier: Apache-2.0
// Tokenizers of llama2.c: a 32-bit length that no token exceeds, then of each token a score, a
// length and its bytes. Text becomes tokens by byte-pair merges, the pair of the highest score
// first.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/types/spec.hpp"

namespace kvcheck {

class Tokenizer {
public:
    /// The token that begins a text, and after which a text ends.
    static constexpr Index begin_token = 1;

    /// Of so many tokens. Throws InputError, naming the file and the place in it, where anything is
    /// not as it must be.
    Tokenizer(const std::string& path, Index vocabulary);

    /// begin_token, then the text. Throws InputError where no token has a byte of it, or where it
    /// cannot be written in `tokens_max` tokens.
    std::vector<Index> encode(const std::string& text, Index tokens_max) const;

    /// What a token stands for after `before`: bytes, of which any may be there.
    std::string decode(Index before, Index token) const;

private:
    struct Entry {
        std::string text;
        float score = 0;
    };
    /// The token of one character of a text, given as its bytes; of a byte, where there is none.
    void append_character(const std::string& character, std::vector<Index>& tokens) const;

    std::string path_;
    Index token_bytes_max_ = 0;  // of the longest token
    std::vector<Entry> entries_;
    std::map<std::string, Index> ids_;
};

}  // namespace kvcheck
