// SPDX-License-Identifier: Apache-2.0
// An engine of others, timed in a program of its own that this one starts and asks, a JSON object a
// line:
//
//      {"prepare": {"rows", "query_heads", "kv_heads", "width", "past", "tokens": numbers,
//                   "folder": text}}   ->   {"done": what engine, which version}
//      {"run": {}}                     ->   {"done": processor seconds of one run}
//      what it cannot do               ->   {"refused": why}
//
// The folder holds the files query [rows][tokens][query_heads][width], key and value [rows]
// [past + tokens][kv_heads][width], floats as this machine stores them. By its answer to `prepare`
// the program has run once and written `output`, shaped as the query. bench/peers/ has such
// programs.
#pragma once

#include <benchmark/benchmark.h>

#include <memory>
#include <string>

#include "bench/workload.hpp"

namespace kvcheck {
class ChildProcess;
}

namespace kvcheck::bench {

/// Runs of a repetition; each is one answer, and some engines take seconds for W2.
constexpr int engine_runs = 1;

class Engine {
public:
    /// `command` is started by the shell when it is first needed.
    Engine(std::string name, std::string command);
    ~Engine();

    /// Has `workload` computed once and its outputs checked against the bound of plain float
    /// arithmetic. Empty, or why the engine does not do it.
    std::string prepare(const Workload& workload);

    /// Processor seconds of one run of what was prepared; below zero where it died.
    double run();

private:
    std::string ask(const std::string& line);

    std::string name_;
    std::string command_;
    std::unique_ptr<ChildProcess> child_;
    std::string prepared_;  // the workload
    std::string refusal_;   // of it
};

void time_engine(benchmark::State& state, const Workload& workload, Engine& engine);

}  // namespace kvcheck::bench
