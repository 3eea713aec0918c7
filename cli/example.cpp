// SPDX-License-Identifier: Apache-2.0
// kvcheck example: one small layer worked through, for people who want to see a cache at work
// before they check theirs. Two rows of six tokens, the second with two padded positions; first in
// one pass, then as a prefill of four and two single tokens.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/commands.hpp"
#include "cli/subjects.hpp"
#include "properties/drive/drive.hpp"
#include "properties/drive/judge.hpp"
#include "properties/drive/variants.hpp"
#include "properties/generators/structure.hpp"

namespace kvcheck {
namespace {

Case example_case() {
    constexpr Index rows = 2;
    constexpr Index tokens = 6;
    constexpr Index padded = 2;
    Case value;
    value.spec.level = Level::layer;
    value.spec.rows = rows;
    value.spec.query_heads = value.spec.kv_heads = 3;
    value.spec.key_width = value.spec.value_width = 4;
    value.spec.model_width = 12;
    value.spec.capacity = tokens;
    value.spec.position_signal = PositionSignal::sinusoidal;
    value.spec.position_ids = PositionIds::visible_count;
    value.parameters = zero_parameters(value.spec, tokens);
    Append append;
    for (Index r = 0; r < rows; ++r) {
        auto& row = append.rows.emplace_back();
        for (Index t = 0; t < tokens; ++t) {
            row.push_back(zero_token(value.spec, r == 0 || t >= padded));
        }
    }
    value.program.emplace_back(std::move(append));
    constexpr std::uint64_t seed = 12;
    fill_values(value, {Family::uniform, seed}, false);
    return value;
}

}  // namespace

Exit example() {
    const std::unique_ptr<Subject> subject = make_subject({});
    const Case full = example_case();
    const Case cached = with_chunks(full, {4, 1, 1});
    const Run full_run = drive(*subject, full);
    const Run cached_run = drive(*subject, cached);

    double error = 0;
    double above_diagonal = 0;
    const auto history = history_of(full);
    for (std::size_t r = 0; r < history[0].size(); ++r) {
        for (std::size_t slot = 0; slot < history[0][r].size(); ++slot) {
            if (!history[0][r][slot].real) continue;
            const Seen& one_pass = full_run.tokens[0][r][slot];
            const Seen& by_chunk = cached_run.tokens[0][r][slot];
            for (std::size_t i = 0; i < one_pass.output.size(); ++i) {
                error = std::max(error, std::fabs(one_pass.output[i] - by_chunk.output[i]));
            }
            for (const auto& weights : one_pass.weights) {
                for (std::size_t key = slot + 1; key < weights.size(); ++key) {
                    above_diagonal = std::max(above_diagonal, weights[key]);
                }
            }
        }
    }
    Oracle oracle(full.spec, full.parameters, subject->capabilities().profile);
    Judge judge(subject->capabilities());
    judge_outputs(judge, oracle, history, full_run, "in one pass, ");
    judge_outputs(judge, oracle, history, cached_run, "in chunks of 4 + 1 + 1, ");
    const Verdict verdict = judge.verdict();

    const Spec& spec = full.spec;
    const Index tokens = Index(history[0][0].size());
    fmt::print(
        "A layer of width {} with {} heads over {} rows of {} tokens; row 1 begins with two "
        "padded positions.\n\n",
        spec.model_width, spec.query_heads, spec.rows, tokens);
    fmt::print("output shape              ({}, {}, {})\n", spec.rows, tokens, spec.model_width);
    fmt::print("weight shape              ({}, {}, {}, {})\n", spec.rows, spec.query_heads, tokens,
               tokens);
    fmt::print("cache shape               ({}, {}, {}, {})\n", spec.rows, spec.kv_heads, tokens,
               spec.key_width);
    fmt::print(
        "full against cached       {:.3g}, the largest difference of an output (chunks 4 + 1 + "
        "1)\n",
        error);
    fmt::print("weight above the diagonal {:.3g}, the largest\n", above_diagonal);
    fmt::print("against the oracle        {}, worst {:.2g} of the bound\n\n", name_of(verdict.kind),
               verdict.worst_ratio);

    fmt::print("weights of head 0 in row 1 (columns are keys 0 to 5; the first two are padding)\n");
    for (std::size_t slot = 0; slot < std::size_t(tokens); ++slot) {
        if (!history[0][1][slot].real) {
            fmt::print("  slot {}   padding: its output is unspecified\n", slot);
            continue;
        }
        fmt::print("  slot {}  ", slot);
        for (const double weight : full_run.tokens[0][1][slot].weights[0])
            fmt::print(" {:.3f}", weight);
        fmt::print("\n");
    }
    return verdict.is_failure() ? Exit::failed : Exit::held;
}

}  // namespace kvcheck
