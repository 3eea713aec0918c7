// SPDX-License-Identifier: Apache-2.0
// Peers timed (declared in peer_rows.hpp): the inputs of a call in the shape that peers take.
#include "bench/peer_rows.hpp"

#include <algorithm>

#include "bench/beside.hpp"
#include "model/types/numeric_profile.hpp"

namespace kvcheck::bench {
namespace {

Array in_large_pages(const std::vector<float>& values) {
    Array array{Index(values.size())};
    std::copy(values.begin(), values.end(), array.begin());
    return array;
}

/// [rows][tokens][heads][width] with tokens and heads exchanged.
std::vector<float> exchanged(const float* given, Index rows, Index tokens, Index heads,
                             Index width) {
    std::vector<float> result(std::size_t(rows * tokens * heads * width));
    float* to = result.data();
    for (Index row = 0; row < rows; ++row) {
        for (Index head = 0; head < heads; ++head) {
            for (Index t = 0; t < tokens; ++t) {
                const Index from = ((row * tokens + t) * heads + head) * width;
                to = std::copy_n(given + from, width, to);
            }
        }
    }
    return result;
}

}  // namespace

std::vector<float> joined(const Array& prefix, const Array& step, Index rows) {
    std::vector<float> result;
    const auto part = [&](const Array& from, Index row) {
        const auto size = std::ptrdiff_t(from.size()) / rows;
        result.insert(result.end(), from.begin() + row * size, from.begin() + (row + 1) * size);
    };
    for (Index row = 0; row < rows; ++row) {
        part(prefix, row);
        part(step, row);
    }
    return result;
}

void time_peer(benchmark::State& state, const Workload& w, const Peer& peer) {
    const bool decoding = w.past > 0;
    const Index keys = w.past + w.tokens;
    const Call prefix(w.spec(keys), w.past, 1);
    Call step(w.spec(keys), w.tokens, 7);
    const Array key = in_large_pages(exchanged(joined(prefix.key(), step.key(), w.rows).data(),
                                               w.rows, keys, w.kv_heads, w.width));
    const Array value = in_large_pages(exchanged(
        joined(prefix.value(), step.value(), w.rows).data(), w.rows, keys, w.kv_heads, w.width));
    const Array query =
        in_large_pages(exchanged(step.query().data(), w.rows, w.tokens, w.query_heads, w.width));
    const Array output{Index(query.size())};
    const Index group = decoding ? w.query_heads / w.kv_heads : 1;
    const Index rows = w.tokens * group;
    const auto run = [&] {
        for (Index n = 0; n < w.rows * w.query_heads / group; ++n) {
            const Index head = decoding ? n : n / (w.query_heads / w.kv_heads);
            peer.attend({.query = query.data() + n * rows * w.width,
                         .key = key.data() + head * keys * w.width,
                         .value = value.data() + head * keys * w.width,
                         .output = output.data() + n * rows * w.width,
                         .tokens = rows,
                         .keys = keys,
                         .width = w.width,
                         .causal = !decoding});
        }
    };
    run();
    require_right(
        peer.name,
        worst_ratio(w, &prefix, step,
                    exchanged(output.data(), w.rows, w.query_heads, w.tokens, w.width).data(),
                    profile_of_digits(24)));
    for (auto _ : state) run();
    if (decoding) {
        count_bytes(state, w.bytes());
    } else {
        count_operations(state, w.flops());
    }
}

}  // namespace kvcheck::bench
