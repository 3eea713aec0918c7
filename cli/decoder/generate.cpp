// SPDX-License-Identifier: Apache-2.0
// kvcheck generate: a checkpoint continues a text, greedily, one token at a time onto its caches.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "cli/commands.hpp"
#include "cli/decoder/checkpoint_decoder.hpp"
#include "cli/terminal.hpp"
#include "impl/plain/decoder.hpp"
#include "model/tokenizer.hpp"
#include "model/types/error.hpp"

namespace kvcheck {
namespace {

/// Without bytes that would be more than text to a terminal.
std::string harmless(const std::string& text) {
    std::string kept;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        constexpr unsigned char first_of_others = 0x80;
        if (c == '\n' || byte >= first_of_others || std::isprint(byte) != 0) kept += c;
    }
    return kept;
}

}  // namespace

Exit generate(const GenerateOptions& options) {
    const Checkpoint checkpoint = ready_checkpoint(options.checkpoint);
    const Tokenizer tokenizer(options.tokenizer, checkpoint.spec.vocabulary);
    const Index positions = checkpoint.spec.attention.capacity;
    if (checkpoint.spec.vocabulary <= Tokenizer::begin_token) {
        throw InputError(options.checkpoint + ", vocabulary",
                         std::to_string(checkpoint.spec.vocabulary),
                         "at least two tokens, as the second begins a text");
    }
    const std::vector<Index> prompt = tokenizer.encode(options.prompt, positions);
    const Index tokens = options.tokens > 0 ? Index(prompt.size()) + options.tokens : positions;
    if (tokens > positions) {
        throw InputError("--tokens", std::to_string(options.tokens),
                         fmt::format("at most {}: the checkpoint has {} positions, and the prompt "
                                     "takes {}",
                                     positions - Index(prompt.size()), positions, prompt.size()));
    }
    const auto decoder = make_plain_decoder<float>(checkpoint.spec, checkpoint.parameters);
    const std::vector<Index> all = continued(*decoder, prompt, tokens, Tokenizer::begin_token);
    std::string text;
    for (std::size_t i = 1; i < all.size(); ++i) text += tokenizer.decode(all[i - 1], all[i]);
    say(harmless(text) + "\n");
    return Exit::held;
}

}  // namespace kvcheck
