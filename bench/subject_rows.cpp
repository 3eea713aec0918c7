// SPDX-License-Identifier: Apache-2.0
// Subjects timed (declared in subject_rows.hpp).
#include "bench/subject_rows.hpp"

#include <fstream>
#include <limits>

#include <unistd.h>

#include "bench/beside.hpp"
#include "impl/fast/fast.hpp"

namespace kvcheck::bench {
namespace {

constexpr Index ragged_rows = 8;

/// Of this process, as Linux counts it.
Index resident_bytes() {
    std::ifstream file("/proc/self/statm");
    Index size = 0;
    Index resident = 0;
    file >> size >> resident;
    return resident * Index(sysconf(_SC_PAGESIZE));
}

}  // namespace

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

Prepared prepared_ragged(const Contender& contender, Index longest, Index steps) {
    const Spec spec = decode("W7", ragged_rows, longest).spec(longest + steps);
    Call prefix(spec, longest - 1, 1);
    std::vector<Index> lengths;
    for (Index row = 0; row < ragged_rows; ++row) lengths.push_back((longest >> row) - 1);
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

void time_ragged(benchmark::State& state, Index longest, const Prepared& on) {
    for (auto _ : state) benchmark::DoNotOptimize(on.session->append(on.step->call()));
    double slots = 0;
    for (Index row = 0; row < ragged_rows; ++row) slots += double(longest >> row);
    const Workload w = decode("W7", 1, 1);
    count_bytes(state, slots * w.bytes());
}

void measure_memory(benchmark::State& state, const Workload& w, const Contender& contender) {
    const Spec spec = w.spec(w.past);
    const Call prefix(spec, w.past, 1);
    Index taken = 0;
    for (auto _ : state) {
        const Index before = resident_bytes();
        const auto session = contender.subject->open(spec, {}).session;
        session->append(prefix.call());
        taken = resident_bytes() - before;
        const auto in_blocks = [&] {
            const MemoryUse use = memory_use(*session);
            return double(use.blocks_in_use * use.block_bytes);
        };
        state.counters["in_blocks"] = in_blocks();
        session->apply(Reorder{std::vector<Index>(std::size_t(w.rows), 0)});
        state.counters["in_blocks_of_beams"] = in_blocks();
    }
    state.counters["taken"] = double(taken);
    state.counters["formula"] = double(2 * w.rows * w.kv_heads * w.past * w.width) * sizeof(float);
}

void time_beams(benchmark::State& state, const Workload& w, const Contender& contender) {
    const Spec spec = w.spec(w.past + 1);
    const Call prefix(spec, w.past, 1);
    for (const Array& values : {std::cref(prefix.key()), std::cref(prefix.value())}) {
        const auto row = Index(values.size()) / w.rows;
        for (Index r = 1; r < w.rows; ++r) {
            std::copy_n(values.begin(), row, values.begin() + r * row);
        }
    }
    const Call step(spec, 1, 7);
    Reorder halves;  // each beam of the better half goes on twice
    for (Index r = 0; r < w.rows; ++r) halves.sources.push_back(r / 2);
    const auto session = contender.subject->open(spec, {}).session;
    session->append(prefix.call());
    session->apply(halves);
    session->append(step.call());
    require_right(contender.name, worst_ratio(w, &prefix, step, step.output().data(),
                                              contender.subject->capabilities().profile));
    session->apply(Truncate{w.past, std::nullopt});
    for (auto _ : state) {
        session->apply(halves);
        session->append(step.call());
        session->apply(Truncate{w.past, std::nullopt});
    }
}

void time_small_calls(benchmark::State& state, const Contender& contender) {
    const Workload w{"W5", 2, 3, 3, 4, 6, 1};
    const Spec spec = w.spec(w.past + decode_steps);
    const Call prefix(spec, w.past, 1);
    const Call step(spec, 1, 2);
    const Opened opened = contender.subject->open(spec, {});
    opened.session->append(prefix.call());
    opened.session->append(step.call());
    require_right(contender.name, worst_ratio(w, &prefix, step, step.output().data(),
                                              contender.subject->capabilities().profile));
    for (auto _ : state) {
        opened.session->apply(Reset());
        opened.session->append(prefix.call());
        for (int n = 0; n < decode_steps; ++n) opened.session->append(step.call());
    }
}

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

}  // namespace kvcheck::bench
