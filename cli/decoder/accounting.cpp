// SPDX-License-Identifier: Apache-2.0
// Counts of the study's decoder (declared in accounting.hpp).
#include "cli/decoder/accounting.hpp"

#include <fmt/format.h>

#include "cli/decoder/experiment.hpp"
#include "model/types/assert.hpp"
#include "properties/generators/decoder.hpp"

namespace kvcheck {
namespace {

constexpr Index prefix = 256;    // P
constexpr Index generated = 16;  // G

void append(Decoder& decoder, const std::vector<Index>& tokens, Index rows = 1) {
    DecoderCall call;
    call.tokens.assign(std::size_t(rows), tokens);
    DecoderAnswer answer;
    const Status status = decoder.append(call, answer);
    KVCHECK_ASSERT(status.ok());
}

std::vector<Index> first(const std::vector<Index>& tokens, Index count) {
    return {tokens.begin(), tokens.begin() + count};
}

std::unique_ptr<Decoder> with_heads(Index kv_heads, Index rows, Index capacity) {
    DecoderSpec spec = study_spec(rows, capacity);
    spec.attention.kv_heads = kv_heads;
    return make_plain_decoder<float>(spec, drawn_decoder(spec, 0, study_seed));
}

/// Every one of the generated tokens is computed with all tokens before it, or with itself alone.
void count_projected(std::vector<Account>& accounts, const std::vector<Index>& tokens) {
    const auto full = study_decoder(Precision::fp32, 1, prefix + generated);
    for (Index n = prefix + 1; n <= prefix + generated; ++n) {
        const Status status = full->apply(Reset{});
        KVCHECK_ASSERT(status.ok());
        append(*full, first(tokens, n));
    }
    accounts.push_back({fmt::format("tokens projected, P {}, G {}, recomputed", prefix, generated),
                        "G P + G (G + 1) / 2", full->work().projected,
                        generated * prefix + generated * (generated + 1) / 2});
    const auto cached = study_decoder(Precision::fp32, 1, prefix + generated);
    append(*cached, first(tokens, prefix));
    const Index before = cached->work().projected;
    for (Index n = prefix; n < prefix + generated; ++n) {
        append(*cached, {tokens[std::size_t(n)]});
    }
    accounts.push_back({fmt::format("tokens projected, P {}, G {}, cached", prefix, generated), "G",
                        cached->work().projected - before, generated});
}

void count_bytes(std::vector<Account>& accounts, const std::vector<Index>& tokens) {
    const Index length = prefix + generated;
    const auto expected = [&](Index rows, Index kv_heads) {
        const DecoderSpec spec = study_spec(rows, length);
        return 2 * rows * length * spec.layers * kv_heads * spec.attention.key_width *
               Index(sizeof(float));
    };
    constexpr Index all_heads = 4;
    for (const Index kv_heads : {all_heads, Index{2}, Index{1}}) {
        const auto decoder = with_heads(kv_heads, 1, length);
        append(*decoder, tokens);
        accounts.push_back(
            {fmt::format("bytes of keys and values, B 1, T {}, Hkv {}", length, kv_heads),
             "2 B T L Hkv Dh bytes", decoder->work().cache_bytes, expected(1, kv_heads)});
    }
    constexpr Index beams = 3;
    const auto decoder = with_heads(all_heads, 1, length);
    append(*decoder, tokens);
    const Status status = decoder->apply(Reorder{std::vector<Index>(std::size_t(beams), 0)});
    KVCHECK_ASSERT(status.ok());
    accounts.push_back({fmt::format("the same of {} live beams, copied", beams),
                        "2 B T L Hkv Dh bytes", decoder->work().cache_bytes,
                        expected(beams, all_heads)});
}

void count_scores(std::vector<Account>& accounts, const std::vector<Index>& tokens) {
    const DecoderSpec spec = study_spec(1, 1);
    const Index heads = spec.layers * spec.attention.query_heads;
    for (const Index n : {Index{16}, Index{32}, Index{64}}) {
        const auto full = study_decoder(Precision::fp32, 1, n);
        for (Index length = 1; length <= n; ++length) {
            const Status status = full->apply(Reset{});
            KVCHECK_ASSERT(status.ok());
            append(*full, first(tokens, length));
        }
        accounts.push_back({fmt::format("pairs scored, N {}, repeated full passes", n),
                            "L H N (N + 1) (N + 2) / 6", full->work().scored,
                            heads * n * (n + 1) * (n + 2) / 6});
        const auto cached = study_decoder(Precision::fp32, 1, n);
        for (Index t = 0; t < n; ++t) append(*cached, {tokens[std::size_t(t)]});
        accounts.push_back({fmt::format("pairs scored, N {}, cached", n), "L H N (N + 1) / 2",
                            cached->work().scored, heads * n * (n + 1) / 2});
    }
    // With a window the pairs are linear in N.
    DecoderSpec windowed = study_spec(1, 64);
    constexpr Index window = 8;
    windowed.attention.window = window;
    const Index n = windowed.attention.capacity;
    const auto decoder =
        make_plain_decoder<float>(windowed, drawn_decoder(windowed, 0, study_seed));
    for (Index t = 0; t < n; ++t) append(*decoder, {tokens[std::size_t(t)]});
    accounts.push_back({fmt::format("pairs scored, N {}, cached, window {}", n, window),
                        "L H (W N - W (W - 1) / 2)", decoder->work().scored,
                        heads * (window * n - window * (window - 1) / 2)});
}

}  // namespace

std::vector<Account> decoder_accounts() {
    const std::vector<Index> tokens =
        drawn_tokens(study_spec(1, 1), prefix + generated, study_seed);
    std::vector<Account> accounts;
    count_projected(accounts, tokens);
    count_bytes(accounts, tokens);
    count_scores(accounts, tokens);
    return accounts;
}

}  // namespace kvcheck
