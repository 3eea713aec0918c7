// SPDX-License-Identifier: Apache-2.0
// Limits beside a repetition (declared in beside.hpp).
#include "bench/beside.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <map>

#include "bench/limits.hpp"
#include "impl/fast/memory.hpp"

namespace kvcheck::bench {
namespace {

constexpr Index multiply_add_steps = Index{1} << 20;

/// Of this thread alone: other processes share the cores.
double seconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    const auto whole = std::chrono::seconds(time.tv_sec);
    return std::chrono::duration<double>(whole + std::chrono::nanoseconds(time.tv_nsec)).count();
}

/// Kept, since new pages would cost more than reading them.
const fast::Memory& read_memory(Index floats) {
    static std::map<Index, fast::Memory> memories;
    const auto [entry, is_new] = memories.try_emplace(floats, floats);
    if (is_new) std::fill_n(entry->second.data(), floats, 1.0F);
    return entry->second;
}

}  // namespace

void count_operations(benchmark::State& state, double flops) {
    state.counters["flops"] = flops;
    const double begin = seconds();
    const double done = multiply_add(multiply_add_steps);
    state.counters["limit"] = done / (seconds() - begin);
}

void count_bytes(benchmark::State& state, double bytes) {
    state.counters["bytes"] = bytes;
    const Index floats = fast::rounded_up(Index(bytes / sizeof(float)), plain_read_multiple);
    const fast::Memory& memory = read_memory(floats);
    benchmark::DoNotOptimize(plain_read(memory.data(), floats));
    const double begin = seconds();
    benchmark::DoNotOptimize(plain_read(memory.data(), floats));
    state.counters["limit"] = double(floats) * sizeof(float) / (seconds() - begin);
}

}  // namespace kvcheck::bench
