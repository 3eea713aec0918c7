// SPDX-License-Identifier: Apache-2.0
// The bench: limits, workloads, peers and growth, each a Google Benchmark. Every answer is checked
// on a sample before it is timed. `flops` and `bytes` are of one iteration; scripts/bench makes the
// table of them.
#include <benchmark/benchmark.h>

#include <fstream>
#include <functional>
#include <limits>

#include <unistd.h>

#include "bench/beside.hpp"
#include "bench/limits.hpp"
#include "bench/peer_rows.hpp"
#include "bench/workload.hpp"
#include "impl/fast/fast.hpp"
#include "impl/fast/memory.hpp"
#include "impl/plain/plain.hpp"
#include "model/types/numeric_profile.hpp"

namespace kvcheck::bench {
namespace {

constexpr int decode_steps = 16;
constexpr int repetitions = 9;

/// Of this process, as Linux counts it.
Index resident_bytes() {
    std::ifstream file("/proc/self/statm");
    Index size = 0;
    Index resident = 0;
    file >> size >> resident;
    return resident * Index(sysconf(_SC_PAGESIZE));
}

struct Contender {
    std::string name;
    std::shared_ptr<Subject> subject;
    int threads = 1;
};

/// `iterations` of a repetition; 0: as many as fill some time.
void add(const std::string& name, int threads, int iterations,
         const std::function<void(benchmark::State&)>& run) {
    auto* const added = benchmark::RegisterBenchmark(name.c_str(), run);
    added->Unit(benchmark::kMillisecond)->Repetitions(repetitions);
    if (iterations > 0) {
        added->Iterations(iterations);
    } else {
        added->MinTime(0.05);
    }
    // One thread is timed by its own clock: other processes share the cores. Two are not.
    if (threads > 1) added->UseRealTime();
}

void add_limits() {
    add("limit/multiply-add", 1, 0, [](benchmark::State& state) {
        double flops = 0;
        for (auto _ : state) flops = multiply_add(Index{1} << 20);
        state.counters["flops"] = flops;
    });
    for (const Workload& w : {decode("W3", 1, 4096), decode("W4", 8, 1024)}) {
        add("limit/read-" + w.name, 1, 0, [w](benchmark::State& state) {
            const fast::Memory memory(Index(w.bytes() / sizeof(float)));
            std::fill_n(memory.data(), memory.size(), 1.0F);
            for (auto _ : state) {
                benchmark::DoNotOptimize(plain_read(memory.data(), memory.size()));
            }
            state.counters["bytes"] = w.bytes();
        });
    }
}

void time_prefill(benchmark::State& state, const Workload& w, const Contender& contender) {
    const Spec spec = w.spec(w.tokens);
    Call call(spec, w.tokens, 1);
    const Opened opened = contender.subject->open(spec, {});
    opened.session->append(call.call());
    require_right(contender.name, worst_ratio(w, nullptr, call, call.output().data(),
                                              contender.subject->capabilities().profile));
    for (auto _ : state) {
        opened.session->apply(Reset());
        benchmark::DoNotOptimize(opened.session->append(call.call()));
    }
    count_operations(state, w.flops());
}

/// A session with its prefix, and the call of one step.
struct Prepared {
    std::unique_ptr<Session> session;
    std::unique_ptr<Call> step;
};

Prepared prepared(const Workload& w, const Contender& contender, Index steps) {
    const Spec spec = w.spec(w.past + steps + 1);
    const Call prefix(spec, w.past, 1);
    Prepared result{contender.subject->open(spec, {}).session, std::make_unique<Call>(spec, 1, 7)};
    result.session->append(prefix.call());
    result.session->append(result.step->call());
    require_right(contender.name,
                  worst_ratio(w, &prefix, *result.step, result.step->output().data(),
                              contender.subject->capabilities().profile));
    return result;
}

void time_steps(benchmark::State& state, const Workload& w, const Prepared& on) {
    for (auto _ : state) benchmark::DoNotOptimize(on.session->append(on.step->call()));
    count_bytes(state, w.bytes());
}

constexpr Index ragged_rows = 8;
constexpr Index ragged_longest = 4096;

/// Rows of 32, 64, ... 4096 slots, with the heads of W3. The last one must get the bits that it
/// gets alone.
Prepared prepared_ragged(const Contender& contender) {
    const Spec spec =
        decode("W7", ragged_rows, ragged_longest).spec(ragged_longest + repetitions * decode_steps);
    Call prefix(spec, ragged_longest - 1, 1);
    std::vector<Index> lengths;
    for (Index row = 0; row < ragged_rows; ++row) lengths.push_back((ragged_longest >> row) - 1);
    prefix.give(lengths);
    Prepared result{contender.subject->open(spec, {}).session, std::make_unique<Call>(spec, 1, 7)};
    result.session->append(prefix.call());
    result.session->append(result.step->call());

    const auto alone = contender.subject->open(spec, {}).session;
    std::fill(lengths.begin(), lengths.end() - 1, 0);
    prefix.give(lengths);
    alone->append(prefix.call());
    Call step(spec, 1, 7);
    lengths.back() = 1;
    step.give(lengths);
    alone->append(step.call());
    const Index width = spec.output_size();
    const Array& given = result.step->output();
    const bool same = std::equal(given.end() - width, given.end(), step.output().end() - width);
    require_right(contender.name, same ? 0 : std::numeric_limits<double>::infinity());
    return result;
}

void time_ragged(benchmark::State& state, const Prepared& on) {
    for (auto _ : state) benchmark::DoNotOptimize(on.session->append(on.step->call()));
    double slots = 0;
    for (Index row = 0; row < ragged_rows; ++row) slots += double(ragged_longest >> row);
    const Workload w = decode("W7", 1, 1);
    count_bytes(state, slots * w.bytes());
}

/// Memory that a session takes for the rows of W4: pages that became resident between opening it
/// and its last token, beside 2 * rows * kv_heads * slots * width floats.
void measure_memory(benchmark::State& state, const Contender& contender) {
    const Workload w = decode("memory", 8, 1024);
    const Spec spec = w.spec(w.past);
    const Call prefix(spec, w.past, 1);
    Index taken = 0;
    for (auto _ : state) {
        const Index before = resident_bytes();
        const auto session = contender.subject->open(spec, {}).session;
        session->append(prefix.call());
        taken = resident_bytes() - before;
    }
    state.counters["taken"] = double(taken);
    state.counters["formula"] = double(2 * w.rows * w.kv_heads * w.past * w.width) * sizeof(float);
}

/// Two rows, three heads of width four: a call of six tokens and sixteen steps.
void time_small_calls(benchmark::State& state, const Contender& contender) {
    Spec spec;
    spec.rows = 2;
    spec.query_heads = spec.kv_heads = 3;
    spec.key_width = spec.value_width = 4;
    spec.capacity = 6 + decode_steps;
    const Call prefix(spec, 6, 1);
    const Call step(spec, 1, 2);
    const Opened opened = contender.subject->open(spec, {});
    for (auto _ : state) {
        opened.session->apply(Reset());
        opened.session->append(prefix.call());
        for (int n = 0; n < decode_steps; ++n) opened.session->append(step.call());
    }
}

/// Sixteen steps of a layer (model width 64, four heads) after a prefix, with a cache or by
/// computing everything again for each.
void time_layer(benchmark::State& state, const Contender& contender, Index past, bool cached) {
    Spec spec;
    spec.level = Level::layer;
    spec.query_heads = spec.kv_heads = 4;
    spec.key_width = spec.value_width = 16;
    spec.model_width = 64;
    spec.biases = true;
    spec.capacity = past + decode_steps;
    const Opened opened = contender.subject->open(spec, some_parameters(spec, 0, 1));
    std::vector<std::unique_ptr<Call>> whole;
    for (Index n = 0; n <= decode_steps; ++n) {
        whole.push_back(std::make_unique<Call>(spec, past + n, 1));
    }
    const Call step(spec, 1, 2);
    for (auto _ : state) {
        if (cached) {
            state.PauseTiming();
            opened.session->apply(Reset());
            opened.session->append(whole[0]->call());
            state.ResumeTiming();
            for (int n = 0; n < decode_steps; ++n) opened.session->append(step.call());
        } else {
            for (int n = 1; n <= decode_steps; ++n) {
                opened.session->apply(Reset());
                opened.session->append(whole[std::size_t(n)]->call());
            }
        }
    }
}

/// One row and one head, so that the prefix of the longest row takes seconds and not minutes.
Workload growing(const std::string& name, Index past, Index tokens) {
    return {name, 1, 1, 1, 64, past, tokens};
}

void add_growth(const Contender& fast) {
    for (Index length = 1024; length <= 131072; length *= 2) {
        const Workload w = growing("decode", length - 1, 1);
        const auto session = std::make_shared<Prepared>();  // for all repetitions
        add("growth/decode/" + std::to_string(length), 1, decode_steps,
            [=](benchmark::State& state) {
                if (!session->session) *session = prepared(w, fast, repetitions * decode_steps);
                time_steps(state, w, *session);
            });
    }
    for (Index length = 256; length <= 8192; length *= 2) {
        add("growth/prefill/" + std::to_string(length), 1, 0, [=](benchmark::State& state) {
            time_prefill(state, growing("prefill", 0, length), fast);
        });
    }
}

void add_all(int shared) {
    const auto fast = [](int threads) {
        FastOptions options;
        options.threads = threads;
        const std::string name = threads == 1 ? "fast" : "fast-" + std::to_string(threads);
        return Contender{name, make_fast(name, options), threads};
    };
    const Contender one = fast(1);
    const Contender two = fast(shared);
    const Contender plain{"plain", make_plain<float>("plain", std::make_shared<PlainRules>()), 1};
    add_limits();
    for (const Workload& w : {prefill("W1", 1024), prefill("W2", 4096)}) {
        for (const Contender& contender : {one, two}) {
            add(w.name + "/" + contender.name, contender.threads, 0,
                [=](benchmark::State& state) { time_prefill(state, w, contender); });
        }
    }
    add("W1/plain", 1, 1,
        [=](benchmark::State& state) { time_prefill(state, prefill("W1", 1024), plain); });
    for (const Workload& w : {decode("W3", 1, 4096), decode("W4", 8, 1024)}) {
        for (const Contender& contender : {one, two}) {
            add(w.name + "/" + contender.name, contender.threads, decode_steps,
                [=](benchmark::State& state) {
                    time_steps(state, w, prepared(w, contender, decode_steps));
                });
        }
    }
    for (const Workload& w :
         {prefill("W1", 1024), prefill("W2", 4096), decode("W3", 1, 4096), decode("W4", 8, 1024)}) {
        for (const Peer& peer : peers()) {
            add(w.name + "/" + peer.name, 1, 0,
                [=](benchmark::State& state) { time_peer(state, w, peer); });
        }
    }
    for (const Contender& contender : {one, plain}) {
        add("W5/" + contender.name, 1, 0,
            [=](benchmark::State& state) { time_small_calls(state, contender); });
    }
    for (const Index past : {16, 64, 128, 256}) {
        for (const bool cached : {true, false}) {
            add("W6-" + std::to_string(past) + (cached ? "/fast" : "/fast-recomputed"), 1, 0,
                [=](benchmark::State& state) { time_layer(state, one, past, cached); });
        }
    }
    for (const Contender& contender : {one, two}) {
        const auto session = std::make_shared<Prepared>();  // for all repetitions
        add("W7/" + contender.name, contender.threads, decode_steps, [=](benchmark::State& state) {
            if (!session->session) *session = prepared_ragged(contender);
            time_ragged(state, *session);
        });
    }
    add("memory/fast", 1, 1, [=](benchmark::State& state) { measure_memory(state, one); });
    add_growth(one);
}

}  // namespace
}  // namespace kvcheck::bench

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    int threads = 2;
    constexpr std::string_view flag = "--threads=";
    if (argc > 1 && std::string_view(argv[argc - 1]).substr(0, flag.size()) == flag) {
        threads = std::atoi(argv[--argc] + flag.size());
    }
    if (threads < 2) return 2;
    kvcheck::bench::add_all(threads);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
