// SPDX-License-Identifier: Apache-2.0
// What the textbook decoder knows of its rows besides their caches: which slots are real. A call is
// admitted here before anything is touched.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "impl/decoder.hpp"
#include "impl/plain/rules.hpp"

namespace kvcheck {

/// A call's tokens of all rows, [rows * extent]; row r's begin at r * extent.
struct DecoderBatch {
    Index extent = 0;
    std::vector<Index> counts;       // [rows]
    std::vector<std::uint8_t> real;  // [rows * extent]
    std::vector<Index> past;         // [rows]

    std::size_t at(std::size_t row, std::size_t token) const {
        return row * std::size_t(extent) + token;
    }
};

class DecoderRows {
public:
    explicit DecoderRows(Index rows) : real_(std::size_t(rows)) {}

    std::size_t count() const { return real_.size(); }

    /// Fills the batch; says what is wrong of the call, or nothing.
    std::string admit(const DecoderSpec& spec, Index position_limit, const DecoderCall& call,
                      DecoderBatch& batch) const;
    /// The position id of token t of the row's call, as the rules have it.
    Index position(const DecoderSpec& spec, const PlainRules& rules, const DecoderBatch& batch,
                   std::size_t row, Index t) const;
    void append(const DecoderBatch& batch);
    void apply(const Lifecycle& command);

private:
    std::vector<std::vector<bool>> real_;  // [rows][slots]
};

}  // namespace kvcheck
