// SPDX-License-Identifier: Apache-2.0
// A call on dense arrays, for those who drive a session by hand: the bench, and tests of the fast
// subject.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "impl/subject.hpp"

namespace kvcheck {

/// One call that brings `tokens` real tokens to every row of a session, zeros at first. Its memory
/// is taken once; `fill` changes the numbers.
class DenseCall {
public:
    DenseCall(const Spec& spec, Index tokens);

    /// Numbers that follow from `seed`, in all inputs.
    void fill(std::uint64_t seed);
    const AppendCall& call() const { return call_; }
    AppendCall& call() { return call_; }
    const std::vector<float>& output() const { return output_; }
    std::vector<float>& output() { return output_; }
    /// [rows][tokens][...]: 0, 1, 2 are q, k, v; at layer level 0 is x.
    const std::vector<float>& input(int which) const { return inputs_[std::size_t(which)]; }
    std::vector<float>& input(int which) { return inputs_[std::size_t(which)]; }

private:
    std::vector<Index> counts_;
    std::vector<std::uint8_t> real_;
    std::array<std::vector<float>, 3> inputs_;
    std::vector<float> output_;
    AppendCall call_;
};

/// Numbers between -1 and 1, the same on every machine.
void fill_with_numbers(std::span<float> values, std::uint64_t seed);

/// Parameters of a layer with numbers that follow from `seed`.
Parameters some_parameters(const Spec& spec, Index positions, std::uint64_t seed);

}  // namespace kvcheck
