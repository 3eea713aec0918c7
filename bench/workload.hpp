// SPDX-License-Identifier: Apache-2.0
// What is timed: dense calls with random numbers between -1 and 1, and how their answers are
// checked before a time is read. The numbers W1 to W8 are those of docs/performance.md.
#pragma once

#include <string>
#include <vector>

#include "bench/dense_call.hpp"

namespace kvcheck::bench {

/// Attention of `tokens` new tokens a row onto `past` cached ones; all real.
struct Workload {
    std::string name;
    Index rows, query_heads, kv_heads, width;
    Index past, tokens;
    Index window = 0;  // slots that a query sees; 0: all
    Storage storage = Storage::element;

    /// The first slot that the query of a token sees.
    Index first_seen(Index token) const;

    Spec spec(Index capacity) const;
    /// 4 * width for each query head, query and visible key.
    double flops() const;
    /// Keys and values that the last query of each row sees, once.
    double bytes() const;
};

Workload prefill(std::string name, Index tokens);
Workload windowed(std::string name, Index tokens, Index window);
Workload decode(std::string name, Index rows, Index length);

/// A call at attention level by the names of its inputs, with numbers that follow from `seed`.
class Call : public DenseCall {
public:
    Call(const Spec& spec, Index tokens, std::uint64_t seed) : DenseCall(spec, tokens) {
        fill(seed);
    }
    const Array& query() const { return input(0); }  // [rows][tokens][H][D]
    const Array& key() const { return input(1); }
    const Array& value() const { return input(2); }
};

/// The largest error / bound over a sample of the outputs of `last`, which followed `prefix` (null:
/// nothing), in the arithmetic of `profile`. The exact answer is taken in double, whose own error
/// is far below a float's bound.
double worst_ratio(const Workload& workload, const Call* prefix, const Call& last,
                   const float* output, const NumericProfile& profile);

/// Ends the program where a sample of the answers is not within the bound.
void require_right(const std::string& who, double ratio);

}  // namespace kvcheck::bench
