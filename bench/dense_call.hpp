// SPDX-License-Identifier: Apache-2.0
// A call on dense arrays, for those who drive a session by hand: the bench, and tests of the fast
// subject.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "impl/fast/memory.hpp"
#include "impl/subject.hpp"

namespace kvcheck {

/// Numbers in large pages, as an engine would keep them; in small ones a contender's time is half
/// that of finding its pages. Zeros at first.
class Array {
public:
    Array() = default;
    explicit Array(Index count) : memory_(count) { std::fill(begin(), end(), 0.0F); }
    float* data() const { return memory_.data(); }
    float* begin() const { return data(); }
    float* end() const { return data() + memory_.size(); }
    std::size_t size() const { return std::size_t(memory_.size()); }
    float operator[](std::size_t i) const { return data()[i]; }

private:
    fast::Memory memory_;
};

/// A view of an array whose last dimension runs fastest, without gaps.
template <class View, class Float>
View dense_view(Float* data, const Shape& shape) {
    View view;
    view.data = reinterpret_cast<decltype(view.data)>(data);
    view.shape = shape;
    Index stride = 1;
    for (int i = shape.rank; i-- > 0;) {
        view.stride[std::size_t(i)] = stride;
        stride *= shape.extent[std::size_t(i)];
    }
    return view;
}

/// One call that brings `tokens` real tokens to every row of a session, zeros at first. Its memory
/// is taken once; `fill` changes the numbers.
class DenseCall {
public:
    DenseCall(const Spec& spec, Index tokens);

    /// Numbers that follow from `seed`, in all inputs.
    void fill(std::uint64_t seed);
    const AppendCall& call() const { return call_; }
    AppendCall& call() { return call_; }
    /// Row r gets counts[r] of the call's tokens.
    void give(const std::vector<Index>& counts);
    const Array& output() const { return output_; }
    /// [rows][tokens][...]: 0, 1, 2 are q, k, v; at layer level 0 is x.
    const Array& input(int which) const { return inputs_[std::size_t(which)]; }

private:
    std::vector<Index> counts_;
    std::vector<std::uint8_t> real_;
    std::array<Array, 3> inputs_;
    Array output_;
    AppendCall call_;
};

/// Numbers between -1 and 1, the same on every machine.
void fill_with_numbers(std::span<float> values, std::uint64_t seed);

/// Parameters of a layer with numbers that follow from `seed`.
Parameters some_parameters(const Spec& spec, Index positions, std::uint64_t seed);

}  // namespace kvcheck
