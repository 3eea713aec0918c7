// SPDX-License-Identifier: Apache-2.0
// A peer timed on a workload.
#pragma once

#include <benchmark/benchmark.h>

#include "bench/peers.hpp"
#include "bench/workload.hpp"

namespace kvcheck::bench {

/// The prefix's and the step's tokens of each row in one line.
std::vector<float> joined(const Array& prefix, const Array& step, Index rows);

/// A peer gets one problem a head, or, for a decode step, one a group of heads.
void time_peer(benchmark::State& state, const Workload& workload, const Peer& peer);

}  // namespace kvcheck::bench
