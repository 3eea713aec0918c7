// SPDX-License-Identifier: Apache-2.0
#include "tests/impl/fast_calls.hpp"

#include <gtest/gtest.h>

namespace kvcheck {

std::vector<float> outputs_of(Subject& subject, const Spec& spec, const Parameters& parameters,
                              const std::vector<Index>& calls) {
    std::vector<float> outputs;
    const Opened opened = subject.open(spec, parameters);
    std::uint64_t seed = 1;
    for (const Index tokens : calls) {
        DenseCall call(spec, tokens);
        call.fill(seed++);
        const Status status = opened.session->append(call.call());
        EXPECT_TRUE(status.ok()) << status.message;
        outputs.insert(outputs.end(), call.output().begin(), call.output().end());
    }
    return outputs;
}

}  // namespace kvcheck
