// SPDX-License-Identifier: Apache-2.0
// Subjects timed on workloads. A sample of the answers is checked before a time is read, except for
// the layer, whose answers the suite judges at the same sizes.
#pragma once

#include <benchmark/benchmark.h>

#include <memory>
#include <string>

#include "bench/workload.hpp"
#include "impl/subject.hpp"

namespace kvcheck::bench {

struct Contender {
    std::string name;
    std::shared_ptr<Subject> subject;
    int threads = 1;
};

/// Steps of a repetition that may not be repeated, as each makes its row longer.
constexpr int decode_steps = 16;

/// A call of all tokens on an empty cache, storing included.
void time_prefill(benchmark::State& state, const Workload& workload, const Contender& contender);

/// A session with its prefix, and the call of one step.
struct Prepared {
    std::unique_ptr<Session> session;
    std::unique_ptr<Call> step;
};

/// With room for `steps` steps.
Prepared prepared(const Workload& workload, const Contender& contender, Index steps);
void time_steps(benchmark::State& state, const Workload& workload, const Prepared& on);

/// Eight rows of `longest`, half of it, and so on, with the heads of W3 and room for `steps` steps.
/// The last one must get the bits that it gets alone.
Prepared prepared_ragged(const Contender& contender, Index longest, Index steps);
void time_ragged(benchmark::State& state, Index longest, const Prepared& on);

/// Memory that a session takes for the rows of a workload: pages that became resident between
/// opening it and its last token, beside 2 * rows * kv_heads * slots * width floats; and what its
/// blocks take then, and once all rows continue the first. Of the fast subject.
void measure_memory(benchmark::State& state, const Workload& workload, const Contender& contender);

/// Beam search: rows are reordered, get a token each, and give it back.
void time_beams(benchmark::State& state, const Workload& workload, const Contender& contender);

/// Two rows, three heads of width four: a call of six tokens and sixteen steps.
void time_small_calls(benchmark::State& state, const Contender& contender);

/// Sixteen steps of a layer (model width 64, four heads) after a prefix, with a cache or by
/// computing everything again for each.
void time_layer(benchmark::State& state, const Contender& contender, Index past, bool cached);

}  // namespace kvcheck::bench
