// SPDX-License-Identifier: Apache-2.0
// kvcheck example: one small layer worked through, for people who want to see a cache at work
// before they check theirs. Two rows of six tokens, the second with two padded positions; first in
// one pass, then as a prefill of four and two single tokens.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/commands.hpp"
#include "cli/subjects.hpp"
#include "cli/terminal.hpp"
#include "properties/drive/drive.hpp"
#include "properties/drive/judge.hpp"
#include "properties/drive/variants.hpp"
#include "properties/generators/values.hpp"

namespace kvcheck {
namespace {

Case example_case() {
    constexpr Index rows = 2;
    constexpr Index tokens = 6;
    constexpr Index padded = 2;
    Case test_case;
    test_case.spec.level = Level::layer;
    test_case.spec.rows = rows;
    test_case.spec.query_heads = test_case.spec.kv_heads = 3;
    test_case.spec.key_width = test_case.spec.value_width = 4;
    test_case.spec.model_width = 12;
    test_case.spec.capacity = tokens;
    test_case.spec.position_signal = PositionSignal::sinusoidal;
    test_case.spec.position_ids = PositionIds::visible_count;
    test_case.parameters = zero_parameters(test_case.spec, tokens);
    Append append;
    for (Index r = 0; r < rows; ++r) {
        auto& row = append.rows.emplace_back();
        for (Index t = 0; t < tokens; ++t) {
            row.push_back(zero_token(test_case.spec, r == 0 || t >= padded));
        }
    }
    test_case.program.emplace_back(std::move(append));
    constexpr std::uint64_t seed = 12;
    fill_values(test_case, {Family::uniform, seed}, false);
    return test_case;
}

std::vector<Observation> by_row(const Run& run) {
    std::vector<Observation> sorted = run.observations;
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const Observation& a, const Observation& b) { return a.row < b.row; });
    return sorted;
}

}  // namespace

Exit example() {
    const std::unique_ptr<Subject> subject = make_subject({});
    const Case full = example_case();
    const Case cached = with_chunks(full, {4, 1, 1});
    const Run full_run = drive(*subject, full);
    const Run cached_run = drive(*subject, cached);

    // Both runs bring the same tokens; sorted by row they stand in the same order.
    const std::vector<Observation> one_pass = by_row(full_run);
    const std::vector<Observation> by_chunk = by_row(cached_run);
    double error = 0;
    double above_diagonal = 0;
    for (std::size_t n = 0; n < one_pass.size(); ++n) {
        if (!one_pass[n].token().token.real) continue;
        for (std::size_t i = 0; i < one_pass[n].output.size(); ++i) {
            error = std::max(error, std::fabs(one_pass[n].output[i] - by_chunk[n].output[i]));
        }
        for (const auto& weights : one_pass[n].weights) {
            for (auto key = std::size_t(one_pass[n].slot()) + 1; key < weights.size(); ++key) {
                above_diagonal = std::max(above_diagonal, weights[key]);
            }
        }
    }
    Oracle oracle(full.spec, full.parameters, subject->capabilities().profile);
    Judge judge(subject->capabilities());
    judge.in_variant("in one pass");
    judge_outputs(judge, full_run, oracle);
    judge.in_variant("in chunks of 4 + 1 + 1");
    judge_outputs(judge, cached_run, oracle);
    const Verdict verdict = judge.verdict();

    const Spec& spec = full.spec;
    const Index tokens = longest_row(full);
    say(fmt::format(
        "A layer of width {} with {} heads over {} rows of {} tokens; row 1 begins with two "
        "padded positions.\n\n",
        spec.model_width, spec.query_heads, spec.rows, tokens));
    say(fmt::format("output shape              ({}, {}, {})\n", spec.rows, tokens,
                    spec.model_width));
    say(fmt::format("weight shape              ({}, {}, {}, {})\n", spec.rows, spec.query_heads,
                    tokens, tokens));
    say(fmt::format("cache shape               ({}, {}, {}, {})\n", spec.rows, spec.kv_heads,
                    tokens, spec.key_width));
    say(fmt::format(
        "full against cached       {:.3g}, the largest difference of an output (chunks 4 + 1 + "
        "1)\n",
        error));
    say(fmt::format("weight above the diagonal {:.3g}, the largest\n", above_diagonal));
    say(fmt::format("against the oracle        {}, worst {:.2g} of the bound\n\n",
                    name_of(verdict.kind), verdict.worst_ratio));

    say("weights of head 0 in row 1 (columns are keys 0 to 5; the first two are padding)\n");
    for (const Observation& seen : one_pass) {
        if (seen.row != 1) continue;
        if (!seen.token().token.real) {
            say(fmt::format("  slot {}   padding: its output is unspecified\n", seen.slot()));
            continue;
        }
        say(fmt::format("  slot {}  ", seen.slot()));
        for (const double weight : seen.weights[0]) say(fmt::format(" {:.3f}", weight));
        say("\n");
    }
    return verdict.is_failure() ? Exit::failed : Exit::held;
}

}  // namespace kvcheck
