// SPDX-License-Identifier: Apache-2.0
// What is timed: dense calls with random numbers between -1 and 1, and how their answers are
// checked before a time is read. The numbers W1 to W6 are those of docs/performance.md.
#pragma once

#include <string>
#include <vector>

#include "impl/fast/memory.hpp"
#include "impl/subject.hpp"

namespace kvcheck::bench {

/// Attention of `tokens` new tokens a row onto `past` cached ones; all real.
struct Workload {
    std::string name;
    Index rows, query_heads, kv_heads, width;
    Index past, tokens;

    Spec spec(Index capacity) const;
    /// 4 * width for each query head, query and visible key.
    double flops() const;
    /// Keys and values that the last query of each row sees, once.
    double bytes() const;
};

Workload prefill(std::string name, Index tokens);
Workload decode(std::string name, Index rows, Index length);

/// Numbers in large pages, as an engine would keep them; in small ones a contender's time is half
/// that of finding its pages.
class Array {
public:
    Array() = default;
    explicit Array(Index count) : memory_(count) {}
    float* data() const { return memory_.data(); }
    float* begin() const { return data(); }
    float* end() const { return data() + memory_.size(); }
    std::size_t size() const { return std::size_t(memory_.size()); }
    float operator[](std::size_t i) const { return data()[i]; }

private:
    fast::Memory memory_;
};

/// A call and its memory.
class Call {
public:
    /// Every row gets the same number of tokens.
    Call(const Spec& spec, Index tokens, std::uint64_t seed);
    /// Row r gets counts[r] of the call's tokens.
    void give(const std::vector<Index>& counts);
    const AppendCall& call() const { return call_; }
    const Array& query() const { return inputs_[0]; }  // [rows][tokens][H][D]
    const Array& key() const { return inputs_[1]; }
    const Array& value() const { return inputs_[2]; }
    const Array& output() const { return output_; }

private:
    std::vector<Index> counts_;
    std::vector<std::uint8_t> real_;
    Array inputs_[3];
    Array output_;
    AppendCall call_;
};

/// The numbers of a call whose arrays begin with `seed`.
void fill_with_numbers(float* data, Index count, std::uint64_t seed);

/// The largest error / bound over a sample of the outputs of `last`, which followed `prefix` (null:
/// nothing), in the arithmetic of `profile`. The exact answer is taken in double, whose own error
/// is far below a float's bound.
double worst_ratio(const Workload& workload, const Call* prefix, const Call& last,
                   const float* output, const NumericProfile& profile);

/// Ends the program where a sample of the answers is not within the bound.
void require_right(const std::string& who, double ratio);

}  // namespace kvcheck::bench
