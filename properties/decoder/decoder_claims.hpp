// SPDX-License-Identifier: Apache-2.0
// What must hold of a decoder in any program of calls and commands (clause 14): every logit of
// every real token is that of the uncached pass, every layer's cache holds the keys and values of
// that layer, and what was cached before a call keeps its bits.
#pragma once

#include <optional>
#include <string_view>

#include "oracles/decoder/expected.hpp"
#include "properties/decoder/decoder_run.hpp"

namespace kvcheck {

enum class DecoderClaim { answers, logits, caches, earlier_entries };
std::string_view name_of(DecoderClaim claim);

struct DecoderFinding {
    DecoderClaim claim = DecoderClaim::answers;
    Index command = 0;
    Index row = 0;
    Index slot = 0;
    std::optional<Index> layer;  // of a cache
    double ratio = 0;            // error / bound; infinite where there is no number to compare
};

struct DecoderVerdict {
    std::optional<DecoderFinding> first;  // in the order of the claims, then of commands
    WorstError logits, caches;
    Index entries_kept = 0;  // that were compared bit for bit
};

DecoderVerdict judge_decoder(const DecoderCase& test_case, const DecoderArithmetic& arithmetic,
                             const DecoderRun& run);

}  // namespace kvcheck
