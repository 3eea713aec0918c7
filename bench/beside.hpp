// SPDX-License-Identifier: Apache-2.0
// What a repetition did, and what the machine could do in the milliseconds after it: clocks and
// memory change with what else is running, so each repetition is held against the limit beside it.
#pragma once

#include <benchmark/benchmark.h>

namespace kvcheck::bench {

/// Floating-point operations of an iteration, and the multiply-adds of one thread beside it.
void count_operations(benchmark::State& state, double flops);

/// Bytes of an iteration, and the plain read of as many by one thread beside it.
void count_bytes(benchmark::State& state, double bytes);

}  // namespace kvcheck::bench
