// SPDX-License-Identifier: Apache-2.0
// The bench: limits, workloads, peers and growth, each a Google Benchmark. Every answer is checked
// on a sample before it is timed. `flops` and `bytes` are of one iteration; scripts/bench makes the
// table of them.
#include <benchmark/benchmark.h>

#include <functional>

#include "bench/limits.hpp"
#include "bench/peers.hpp"
#include "bench/workload.hpp"
#include "impl/fast/fast.hpp"
#include "impl/fast/memory.hpp"
#include "impl/plain/plain.hpp"
#include "model/types/numeric_profile.hpp"

namespace kvcheck::bench {
namespace {

constexpr int decode_steps = 16;
constexpr int repetitions = 9;

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

void count(benchmark::State& state, double flops, double bytes) {
    state.counters["flops"] = flops;
    state.counters["bytes"] = bytes;
}

void add_limits() {
    add("limit/multiply-add", 1, 0, [](benchmark::State& state) {
        double flops = 0;
        for (auto _ : state) flops = multiply_add(Index{1} << 20);
        count(state, flops, 0);
    });
    for (const Workload& w : {decode("W3", 1, 4096), decode("W4", 8, 1024)}) {
        add("limit/read-" + w.name, 1, 0, [w](benchmark::State& state) {
            const fast::Memory memory(Index(w.bytes() / sizeof(float)));
            std::fill_n(memory.data(), memory.size(), 1.0F);
            for (auto _ : state) {
                benchmark::DoNotOptimize(plain_read(memory.data(), memory.size()));
            }
            count(state, 0, w.bytes());
        });
    }
}

void time_prefill(benchmark::State& state, const Workload& w, const Contender& contender) {
    const Spec spec = w.spec(w.tokens);
    Call call(spec, w.tokens, 1);
    const Opened opened = contender.subject->open(spec, {});
    opened.session->append(call.call());
    require_right(contender.name, worst_ratio(w, nullptr, call, call.output(),
                                              contender.subject->capabilities().profile));
    for (auto _ : state) {
        opened.session->apply(Reset());
        benchmark::DoNotOptimize(opened.session->append(call.call()));
    }
    count(state, w.flops(), 0);
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
    require_right(contender.name, worst_ratio(w, &prefix, *result.step, result.step->output(),
                                              contender.subject->capabilities().profile));
    return result;
}

void time_steps(benchmark::State& state, const Workload& w, const Prepared& on) {
    for (auto _ : state) benchmark::DoNotOptimize(on.session->append(on.step->call()));
    count(state, w.flops(), w.bytes());
}

/// [rows][tokens][heads][width] with tokens and heads exchanged.
std::vector<float> exchanged(const std::vector<float>& given, Index rows, Index tokens, Index heads,
                             Index width) {
    std::vector<float> result(given.size());
    float* to = result.data();
    for (Index row = 0; row < rows; ++row) {
        for (Index head = 0; head < heads; ++head) {
            for (Index t = 0; t < tokens; ++t) {
                const Index from = ((row * tokens + t) * heads + head) * width;
                to = std::copy_n(given.data() + from, width, to);
            }
        }
    }
    return result;
}

/// The prefix's and the step's tokens of each row in one line.
std::vector<float> joined(const std::vector<float>& prefix, const std::vector<float>& step,
                          Index rows) {
    std::vector<float> result;
    const auto part = [&](const std::vector<float>& from, Index row) {
        const auto size = std::ptrdiff_t(from.size()) / rows;
        result.insert(result.end(), from.begin() + row * size, from.begin() + (row + 1) * size);
    };
    for (Index row = 0; row < rows; ++row) {
        part(prefix, row);
        part(step, row);
    }
    return result;
}

/// A peer gets one problem a head, or, for a decode step, one a group of heads.
void time_peer(benchmark::State& state, const Workload& w, const Peer& peer) {
    const bool decoding = w.past > 0;
    const Index keys = w.past + w.tokens;
    const Call prefix(w.spec(keys), w.past, 1);
    Call step(w.spec(keys), w.tokens, 7);
    const auto key =
        exchanged(joined(prefix.key(), step.key(), w.rows), w.rows, keys, w.kv_heads, w.width);
    const auto value =
        exchanged(joined(prefix.value(), step.value(), w.rows), w.rows, keys, w.kv_heads, w.width);
    const auto query = exchanged(step.query(), w.rows, w.tokens, w.query_heads, w.width);
    std::vector<float> output(query.size());
    const Index group = decoding ? w.query_heads / w.kv_heads : 1;
    const Index rows = w.tokens * group;
    const auto run = [&] {
        for (Index n = 0; n < w.rows * w.query_heads / group; ++n) {
            const Index head = decoding ? n : n / (w.query_heads / w.kv_heads);
            peer.attend({.query = query.data() + n * rows * w.width,
                         .key = key.data() + head * keys * w.width,
                         .value = value.data() + head * keys * w.width,
                         .output = output.data() + n * rows * w.width,
                         .tokens = rows,
                         .keys = keys,
                         .width = w.width,
                         .causal = !decoding});
        }
    };
    run();
    require_right(
        peer.name,
        worst_ratio(w, &prefix, step, exchanged(output, w.rows, w.query_heads, w.tokens, w.width),
                    profile_of_digits(24)));
    for (auto _ : state) run();
    count(state, w.flops(), w.bytes());
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

void add_all() {
    const auto fast = [](int threads) {
        FastOptions options;
        options.threads = threads;
        const std::string name = threads == 1 ? "fast" : "fast-" + std::to_string(threads);
        return Contender{name, make_fast(name, options), threads};
    };
    const Contender one = fast(1);
    const Contender two = fast(2);
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
    add_growth(one);
}

}  // namespace
}  // namespace kvcheck::bench

int main(int argc, char** argv) {
    kvcheck::bench::add_all();
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
