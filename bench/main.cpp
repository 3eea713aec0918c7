// SPDX-License-Identifier: Apache-2.0
// The bench: limits, workloads, peers and growth, each a Google Benchmark. `flops` and `bytes` are
// of one iteration; scripts/bench makes the table of them.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <functional>

#include "bench/engine.hpp"
#include "bench/limits.hpp"
#include "bench/options.hpp"
#include "bench/peer_rows.hpp"
#include "bench/subject_rows.hpp"
#include "impl/fast/fast.hpp"
#include "impl/fast/memory.hpp"
#include "impl/plain/plain.hpp"
#include "model/types/enum_names.hpp"
#include "model/types/error.hpp"

namespace kvcheck::bench {
namespace {

using Run = std::function<void(benchmark::State&)>;

class Bench {
public:
    explicit Bench(const Options& options)
        : options_(options),
          sizes_(sizes_of(options)),
          one_(fast(1)),
          two_(fast(options.threads)),
          plain_{"plain", make_plain<float>("plain", std::make_shared<PlainRules>()), 1} {}

    void add_all() const {
        add_limits();
        add_prefill();
        add_decode();
        add_narrow_decode();
        add_beams();
        add_peers();
        add_small();
        add_ragged();
        add("memory/fast", 1, 1,
            [w = sizes_.w4, one = one_](auto& state) { measure_memory(state, w, one); });
        add_growth();
    }

private:
    static Contender fast(int threads) {
        FastOptions options;
        options.threads = threads;
        const std::string name = threads == 1 ? "fast" : "fast-" + std::to_string(threads);
        return {name, make_fast(name, options), threads};
    }

    /// `iterations` of a repetition; 0: as many as fill some time.
    benchmark::internal::Benchmark* add(const std::string& name, int threads, int iterations,
                                        const Run& run) const {
        auto* const added = benchmark::RegisterBenchmark(name.c_str(), run);
        added->Unit(benchmark::kMillisecond)->Repetitions(sizes_.repetitions);
        if (iterations > 0) {
            added->Iterations(iterations);
        } else {
            added->MinTime(sizes_.seconds);
        }
        // One thread is timed by its own clock: other processes share the cores. Two are not.
        if (threads > 1) added->UseRealTime();
        return added;
    }

    void add_limits() const {
        add("limit/multiply-add", 1, 0, [](benchmark::State& state) {
            double flops = 0;
            for (auto _ : state) flops = multiply_add(Index{1} << 20);
            state.counters["flops"] = flops;
        });
        for (const Workload& w : {sizes_.w3, sizes_.w4}) {
            const Index floats =
                fast::rounded_up(Index(w.bytes() / sizeof(float)), plain_read_multiple);
            add("limit/read-" + w.name, 1, 0, [floats](benchmark::State& state) {
                const fast::Memory memory(floats);
                std::fill_n(memory.data(), floats, 1.0F);
                for (auto _ : state) benchmark::DoNotOptimize(plain_read(memory.data(), floats));
                state.counters["bytes"] = double(floats) * sizeof(float);
            });
        }
    }

    void add_prefill() const {
        for (const Workload& w : {sizes_.w1, sizes_.w2}) {
            for (const Contender& contender : {one_, two_}) {
                add(w.name + "/" + contender.name, contender.threads, 0,
                    [=](auto& state) { time_prefill(state, w, contender); });
            }
        }
        add(sizes_.w8.name + "/fast", 1, 0,
            [w = sizes_.w8, one = one_](auto& state) { time_prefill(state, w, one); });
        add("W1/plain", 1, 1,
            [w = sizes_.w1, plain = plain_](auto& state) { time_prefill(state, w, plain); });
    }

    void add_decode() const {
        for (const Workload& w : {sizes_.w3, sizes_.w4}) {
            for (const Contender& contender : {one_, two_}) {
                add(w.name + "/" + contender.name, contender.threads, decode_steps,
                    [=](auto& state) {
                        time_steps(state, w, prepared(w, contender, decode_steps));
                    });
            }
        }
    }

    /// W3 once more, in half the bytes.
    void add_narrow_decode() const {
        for (const Storage storage : {Storage::bf16, Storage::fp16}) {
            Workload w = sizes_.w3;
            w.storage = storage;
            add(w.name + "/fast-" + std::string(name_of(storage)), 1, decode_steps,
                [w, one = one_](auto& state) {
                    time_steps(state, w, prepared(w, one, decode_steps));
                });
        }
    }

    void add_beams() const {
        Workload beams = sizes_.w4;
        beams.name = "W9";
        add("W9/fast", 1, decode_steps,
            [=, one = one_](auto& state) { time_beams(state, beams, one); });
        add("W9/plain", 1, 1,
            [=, plain = plain_](auto& state) { time_beams(state, beams, plain); });
    }

    void add_peers() const {
        for (const Workload& w : {sizes_.w1, sizes_.w2, sizes_.w3, sizes_.w4}) {
            for (const Peer& peer : peers()) {
                add(w.name + "/" + peer.name, 1, 0,
                    [=](auto& state) { time_peer(state, w, peer); });
            }
        }
        for (const EngineCommand& given : options_.engines) {
            const auto engine = std::make_shared<Engine>(given.name, given.command);
            for (const Workload& w : {sizes_.w1, sizes_.w2, sizes_.w3, sizes_.w4}) {
                add(w.name + "/" + given.name, 1, engine_runs, [=](auto& state) {
                    time_engine(state, w, *engine);
                })->UseManualTime();
            }
        }
    }

    void add_small() const {
        for (const Contender& contender : {one_, plain_}) {
            add("W5/" + contender.name, 1, 0,
                [=](auto& state) { time_small_calls(state, contender); });
        }
        for (const Index past : {16, 64, 128, 256}) {
            for (const bool cached : {true, false}) {
                add("W6-" + std::to_string(past) + (cached ? "/fast" : "/fast-recomputed"), 1, 0,
                    [=, one = one_](auto& state) { time_layer(state, one, past, cached); });
            }
        }
    }

    void add_ragged() const {
        for (const Contender& contender : {one_, two_}) {
            const auto session = std::make_shared<Prepared>();  // for all repetitions
            const Index longest = sizes_.ragged_longest;
            const Index steps = Index(sizes_.repetitions) * decode_steps;
            add("W7/" + contender.name, contender.threads, decode_steps, [=](auto& state) {
                if (!session->session) *session = prepared_ragged(contender, longest, steps);
                time_ragged(state, longest, *session);
            });
        }
    }

    /// One row and one head, so that the prefix of the longest row takes seconds and not minutes.
    static Workload growing(const std::string& name, Index past, Index tokens) {
        return {name, 1, 1, 1, 64, past, tokens};
    }

    void add_growth() const {
        for (Index n = sizes_.decode_growth_first; n <= sizes_.decode_growth_last; n *= 2) {
            const Workload w = growing("decode", n - 1, 1);
            const auto session = std::make_shared<Prepared>();  // for all repetitions
            const Index steps = Index(sizes_.repetitions) * decode_steps;
            add("growth/decode/" + std::to_string(n), 1, decode_steps,
                [=, one = one_](auto& state) {
                    if (!session->session) *session = prepared(w, one, steps);
                    time_steps(state, w, *session);
                });
        }
        for (Index n = sizes_.prefill_growth_first; n <= sizes_.prefill_growth_last; n *= 2) {
            add("growth/prefill/" + std::to_string(n), 1, 0, [=, one = one_](auto& state) {
                time_prefill(state, growing("prefill", 0, n), one);
            });
        }
    }

    Options options_;
    Sizes sizes_;
    Contender one_;
    Contender two_;
    Contender plain_;
};

}  // namespace
}  // namespace kvcheck::bench

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    try {
        const auto options = kvcheck::bench::take_options(argc, argv);
        if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
        kvcheck::bench::Bench(options).add_all();
    } catch (const kvcheck::InputError& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
