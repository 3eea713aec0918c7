// SPDX-License-Identifier: Apache-2.0
// What the bench was asked for, beyond the flags of Google Benchmark, and the sizes that follow.
#pragma once

#include <string>
#include <vector>

#include "bench/workload.hpp"

namespace kvcheck::bench {

/// An engine of others and the program that drives it (engine.hpp).
struct EngineCommand {
    std::string name;
    std::string command;
};

struct Options {
    int threads = 2;    // of the second row of `fast`
    bool tiny = false;  // everything once and small: whether it works, not how long it takes
    std::vector<EngineCommand> engines;
};

/// Reads --threads=N, --tiny and, as often as wanted, --engine=NAME=COMMAND, and takes them away.
/// Throws InputError. What it does not know stays.
Options take_options(int& argc, char** argv);

/// How large everything is.
struct Sizes {
    Workload w1, w2, w3, w4, w8;
    Index ragged_longest;
    Index decode_growth_first, decode_growth_last;
    Index prefill_growth_first, prefill_growth_last;
    int repetitions;
    double seconds;  // that the iterations of a repetition fill, where their number is not given
};

Sizes sizes_of(const Options& options);

}  // namespace kvcheck::bench
