// SPDX-License-Identifier: Apache-2.0
// Writes rows of ONNX keys and queries as a case of ours: a token a key, padding where a key is
// masked, a query in the slot of the last key it may see, zeros as the queries of the other tokens.
// Which queries share a row is the caller's choice; queries that reach the same key must agree on
// whether they see it, since validity belongs to the token.
#pragma once

#include <vector>

#include "tests/vectors/onnx_case.hpp"
#include "tests/vectors/onnx_to_spec.hpp"
#include "tests/vectors/widened_heads.hpp"

namespace kvcheck::vectors {

/// One of our rows: the first `length` keys of an ONNX row, and some of its queries.
struct BuiltRow {
    struct Seat {
        Index slot;
        Index query;
    };
    Index onnx_row = 0;
    Index length = 0;
    std::vector<Seat> seats;  // by slot, at least one
};

class CaseBuilder {
public:
    /// Keeps a reference to `onnx`.
    CaseBuilder(const OnnxCase& onnx, const char* way, Index queries_per_row);

    /// Adds a row, or one for each head where their masks differ.
    void add(const BuiltRow& row);

    /// The past is appended first and what is new after it.
    Said finish();

private:
    std::vector<Token> tokens_of(const BuiltRow& row, Index head);
    void write_keys(const BuiltRow& row, Index head, Index slot, Token& token) const;
    void seat_queries(const BuiltRow& row, Index head, std::vector<Token>& tokens);

    const OnnxCase& onnx_;
    bool heads_agree_;
    bool adds_numbers_;
    WidenedHeads heads_;
    Append past_;
    Append added_;
    Said said_;
};

}  // namespace kvcheck::vectors
