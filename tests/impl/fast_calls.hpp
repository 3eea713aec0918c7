// SPDX-License-Identifier: Apache-2.0
// Calls on dense arrays, for tests that drive a session by hand.
#pragma once

#include <vector>

#include "impl/subject.hpp"

namespace kvcheck {

/// One call that brings `tokens` real tokens to every row of a session, with numbers that follow
/// from `seed`. Its memory is taken once; `fill` changes the numbers.
class DenseCall {
public:
    DenseCall(const Spec& spec, Index tokens);

    void fill(std::uint64_t seed);
    const AppendCall& call() const { return call_; }
    AppendCall& call() { return call_; }
    const std::vector<float>& output() const { return output_; }
    std::vector<float>& input(int which) { return inputs_[std::size_t(which)]; }

private:
    std::vector<Index> counts_;
    std::vector<std::uint8_t> real_;
    std::vector<float> inputs_[3];  // q, k, v or x
    std::vector<float> output_;
    AppendCall call_;
};

/// Numbers between -1 and 1.
void fill_with_numbers(std::vector<float>& values, std::uint64_t seed);

/// Parameters of a layer with numbers that follow from `seed`.
Parameters some_parameters(const Spec& spec, Index positions, std::uint64_t seed);

/// All outputs of a session that is given `calls` calls of these numbers of tokens.
std::vector<float> outputs_of(Subject& subject, const Spec& spec, const Parameters& parameters,
                              const std::vector<Index>& calls);

}  // namespace kvcheck
