// SPDX-License-Identifier: Apache-2.0
// Running a checkpoint (declared in checkpoint_decoder.hpp).
#include "cli/decoder/checkpoint_decoder.hpp"

#include <algorithm>

#include "model/types/assert.hpp"
#include "oracles/sinusoid.hpp"

namespace kvcheck {

Checkpoint ready_checkpoint(const std::string& path) {
    Checkpoint checkpoint = read_checkpoint(path);
    const Spec& attention = checkpoint.spec.attention;
    checkpoint.parameters.attention.rotary_table =
        rotary_table_of(attention.capacity, attention.turned_width(), checkpoint_rotary_base);
    validate(checkpoint.spec, checkpoint.parameters, path);
    return checkpoint;
}

DecoderArithmetic own_table_arithmetic() {
    constexpr int single = 24;
    // powf within one ulp is two roundings; a reciprocal and a product are one each
    constexpr double angle = 4;
    return {two_pass_profile(single), angle};
}

Index largest_of(const std::vector<double>& logits) {
    return std::max_element(logits.begin(), logits.end()) - logits.begin();
}

std::vector<Index> continued(Decoder& decoder, const std::vector<Index>& prompt, Index tokens,
                             Index end) {
    std::vector<Index> all = prompt;
    std::vector<Index> next = prompt;
    while (Index(all.size()) < tokens) {
        DecoderCall call;
        call.tokens = {next};
        DecoderAnswer answer;
        const Status status = decoder.append(call, answer);
        KVCHECK_ASSERT(status.ok());
        next = {largest_of(answer.logits[0].back())};
        if (next.front() == end) break;
        all.push_back(next.front());
    }
    return all;
}

}  // namespace kvcheck
