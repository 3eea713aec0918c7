// SPDX-License-Identifier: Apache-2.0
// What a decoder may answer for one row, where only its answers are seen: logits, and what each
// layer's cache holds, each with the bound of adjoint.hpp.
#pragma once

#include <vector>

#include "oracles/decoder/adjoint.hpp"

namespace kvcheck {

struct ExpectedRow {
    std::vector<std::vector<Answer>> logits;               // [tokens][V]; empty of padding
    std::vector<std::vector<std::vector<Answer>>> keys;    // [layers][tokens][Hkv*Dk]
    std::vector<std::vector<std::vector<Answer>>> values;  // [layers][tokens][Hkv*Dv]
};

ExpectedRow expected_row(const DecoderSpec& spec, const DecoderParameters& parameters,
                         const DecoderArithmetic& arithmetic, const DecoderTruth& truth);

/// The largest error, and the largest error / bound, of some numbers.
struct WorstError {
    double error = 0;
    double ratio = 0;
    double bound = 0;         // the largest
    std::size_t numbers = 0;  // that were compared

    /// Another extent is an infinite error.
    void add(const std::vector<double>& seen, const std::vector<Answer>& right);
    void add(const WorstError& other);
};

}  // namespace kvcheck
