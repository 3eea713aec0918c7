// SPDX-License-Identifier: Apache-2.0
// Byte-pair merges (declared in tokenizer.hpp).
#include "model/tokenizer.hpp"

#include <algorithm>
#include <optional>

#include "model/byte_reader.hpp"
#include "model/types/error.hpp"

namespace kvcheck {
namespace {

constexpr std::uint64_t bytes_max = std::uint64_t{1} << 28;
constexpr Index token_bytes_limit = 4096;
/// The tokens of single bytes stand after three others: unknown, begin, end.
constexpr Index first_byte_token = 3;

/// The first bytes of a text that make one character of UTF-8, or one byte where it is none.
std::size_t character_size(const std::string& text, std::size_t at) {
    const auto is_continuation = [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) == 0x80;
    };
    constexpr std::size_t most = 4;
    std::size_t size = 1;
    while (size < most && at + size < text.size() && is_continuation(text[at + size])) ++size;
    return size;
}

/// The byte that "<0x0A>" stands for.
std::optional<char> named_byte(const std::string& text) {
    if (text.size() != 6 || text.compare(0, 3, "<0x") != 0 || text[5] != '>') return std::nullopt;
    unsigned value = 0;
    for (const char digit : {text[3], text[4]}) {
        constexpr unsigned ten = 10;
        if (digit >= '0' && digit <= '9') {
            value = value * 16 + unsigned(digit - '0');
        } else if (digit >= 'A' && digit <= 'F') {
            value = value * 16 + unsigned(digit - 'A') + ten;
        } else {
            return std::nullopt;
        }
    }
    return static_cast<char>(value);
}

}  // namespace

Tokenizer::Tokenizer(const std::string& path, Index vocabulary) : path_(path) {
    ByteReader file(path, bytes_max);
    const Index longest = file.integer("longest token", 1, token_bytes_limit);
    for (Index id = 0; id < vocabulary; ++id) {
        const std::string name = "token " + std::to_string(id);
        Entry entry;
        entry.score = file.floats("score of " + name, 1).front();
        const Index size = file.integer("length of " + name, 0, longest);
        entry.text = file.text(name, size);
        token_bytes_max_ = std::max(token_bytes_max_, size);
        ids_.emplace(entry.text, id);
        entries_.push_back(std::move(entry));
    }
    file.expect_end();
}

void Tokenizer::append_character(const std::string& character, std::vector<Index>& tokens) const {
    if (const auto found = ids_.find(character); found != ids_.end()) {
        tokens.push_back(found->second);
        return;
    }
    for (const char byte : character) {
        const Index id = first_byte_token + Index(static_cast<unsigned char>(byte));
        if (id >= Index(entries_.size())) {
            throw InputError("--prompt", "\"" + character + "\"",
                             "characters that the tokens of " + path_ + " can write");
        }
        tokens.push_back(id);
    }
}

std::vector<Index> Tokenizer::encode(const std::string& text, Index tokens_max) const {
    const auto refuse = [&](const std::string& found) {
        throw InputError("--prompt", found,
                         "a text of at most " + std::to_string(tokens_max) + " tokens");
    };
    // No token has more bytes than the longest, so that nothing is merged in vain.
    if (Index(text.size()) > tokens_max * token_bytes_max_) {
        refuse(std::to_string(text.size()) + " bytes");
    }
    std::vector<Index> tokens = {begin_token};
    if (!text.empty()) append_character(" ", tokens);
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t size = character_size(text, at);
        append_character(text.substr(at, size), tokens);
        at += size;
    }
    while (true) {
        std::optional<std::size_t> best;
        Index merged = 0;
        for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
            const auto found = ids_.find(entries_[std::size_t(tokens[i])].text +
                                         entries_[std::size_t(tokens[i + 1])].text);
            if (found == ids_.end()) continue;
            const float score = entries_[std::size_t(found->second)].score;
            if (best && score <= entries_[std::size_t(merged)].score) continue;
            best = i;
            merged = found->second;
        }
        if (!best) break;
        tokens[*best] = merged;
        tokens.erase(tokens.begin() + std::ptrdiff_t(*best) + 1);
    }
    if (Index(tokens.size()) > tokens_max) refuse(std::to_string(tokens.size()) + " tokens");
    return tokens;
}

std::string Tokenizer::decode(Index before, Index token) const {
    std::string text = entries_[std::size_t(token)].text;
    if (before == begin_token && !text.empty() && text.front() == ' ') text.erase(0, 1);
    if (const auto byte = named_byte(text)) return {*byte};
    return text;
}

}  // namespace kvcheck
