// SPDX-License-Identifier: Apache-2.0
// The interface of a decoder under test: token ids in, logits out, a cache for each layer and row
// (clause 14 of docs/contract.md). Taps, what lies between, are optional.
#pragma once

#include <optional>
#include <vector>

#include "impl/subject.hpp"
#include "model/types/decoder_spec.hpp"
#include "model/types/decoder_trace.hpp"

namespace kvcheck {

/// One append: the ids of each row's new tokens, none for a row that gets none.
struct DecoderCall {
    std::vector<std::vector<Index>> tokens;  // [rows][count]
    /// [rows][count] 0 for padding, whose id is not read; empty: all are real.
    std::vector<std::vector<std::uint8_t>> real;
    bool wants_taps = false;
};

/// What one append yields, of each row's tokens in their order. A double holds the subject's own
/// numbers exactly.
struct DecoderAnswer {
    std::vector<std::vector<std::vector<double>>> logits;  // [rows][count][V]
    std::vector<std::vector<TokenTaps>> taps;              // [rows][count], where asked for
};

/// What a cache holds of one row and layer.
struct StoredLayer {
    std::vector<std::vector<double>> keys;    // [slots][Hkv*Dk]
    std::vector<std::vector<double>> values;  // [slots][Hkv*Dv]
};

/// What a decoder has done since it was made, counted where it is done.
struct DecoderWork {
    Index projected = 0;    // tokens that went through the layers
    Index scored = 0;       // pairs of a query and a key it sees, of all layers and query heads
    Index cache_bytes = 0;  // held by keys and values of all rows and layers now
};

class Decoder {
public:
    virtual ~Decoder() = default;

    /// Needs: nothing; whatever does not fit is refused. Promises: after a refusal the whole state
    /// is as before.
    virtual Status append(const DecoderCall& call, DecoderAnswer& answer) = 0;
    /// A command of clause 10, for the caches of all layers.
    virtual Status apply(const Lifecycle& command) = 0;
    /// Nothing where there is no such row or layer, or the decoder does not show it.
    virtual std::optional<StoredLayer> stored(Index row, Index layer) = 0;
    virtual DecoderWork work() const = 0;
};

}  // namespace kvcheck
