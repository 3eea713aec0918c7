// SPDX-License-Identifier: Apache-2.0
// One ONNX attention node test as a value: every array in the layout (rows, heads, tokens, width),
// past and new keys joined, all masks as one function. What ONNX means by its attributes is settled
// here; whether our contract can say it is not (onnx_to_spec.hpp).
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "tests/vectors/array4.hpp"

namespace kvcheck::vectors {

struct OnnxCase {
    bool narrow = false;                       // some array is stored in fp16
    Array4 query;                              // [B][H][Lq][Dk]
    Array4 key;                                // [B][Hkv][S][Dk], the past first
    Array4 value;                              // [B][Hkv][S][Dv]
    Index past = 0;                            // tokens of the past among the S
    std::optional<Array4> mask;                // [B or 1][H or 1][Lq or 1][at most S], added
    std::optional<std::vector<Index>> nonpad;  // [B], leading keys that are real
    bool causal = false;
    std::optional<float> scale;
    float softcap = 0;                    // 0: none
    Index softmax_precision = 0;          // an ONNX data type; 0: that of the arrays
    Array4 expected;                      // Y, [B][H][Lq][Dv]
    std::optional<Array4> present_key;    // as key
    std::optional<Array4> present_value;  // as value
    std::optional<Array4> weights;        // qk_matmul_output where it is the softmax, [B][H][Lq][S]

    Index batch() const { return query.extent[0]; }
    Index query_heads() const { return query.extent[1]; }
    Index queries() const { return query.extent[2]; }
    Index key_width() const { return query.extent[3]; }
    Index kv_heads() const { return key.extent[1]; }
    Index keys() const { return key.extent[2]; }
    Index value_width() const { return value.extent[3]; }

    /// Keys before the causal diagonal of query 0; negative where a row has fewer real keys than
    /// queries.
    Index offset(Index row) const;
    /// What is added to a score before the softmax; minus infinity for a key that is not seen.
    float bias(Index row, Index head, Index query, Index key) const;
    bool sees(Index row, Index head, Index query, Index key) const;

    /// True where `holds` holds for every row, head, query and key.
    template <class Predicate>
    bool everywhere(Predicate holds) const {
        for (Index b = 0; b < batch(); ++b) {
            for (Index h = 0; h < query_heads(); ++h) {
                for (Index q = 0; q < queries(); ++q) {
                    for (Index k = 0; k < keys(); ++k) {
                        if (!holds(b, h, q, k)) return false;
                    }
                }
            }
        }
        return true;
    }

    /// True where a finite number other than zero is added to some score.
    bool adds_numbers() const;
    /// True where all heads of a row have the same masks.
    bool heads_agree() const;
};

/// Throws InputError where a file is missing, malformed or contradicts the others.
OnnxCase read_onnx_case(const std::filesystem::path& folder);

}  // namespace kvcheck::vectors
