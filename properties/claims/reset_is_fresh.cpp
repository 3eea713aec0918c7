// SPDX-License-Identifier: Apache-2.0
// Clause 10: a session that held something else and was reset, at once or row by row, gives the
// bits and the numbers of a new one.
#include <algorithm>

#include "properties/catalogue.hpp"
#include "properties/drive/asked.hpp"
#include "properties/drive/judge.hpp"
#include "properties/drive/sentence.hpp"
#include "properties/drive/variants.hpp"

namespace kvcheck {
namespace {

/// Row numbers after each command of `run` from command `before` on are those of `expected`.
void judge_same_numbers(Judge& judge, const Run& expected, const Run& run, Index before) {
    for (std::size_t n = 0; n < expected.numbers.size(); ++n) {
        const std::vector<RowNumbers>& seen = run.numbers[std::size_t(before) + n];
        if (seen == expected.numbers[n]) continue;
        judge.fault("numbers", "after command " + std::to_string(n) + ", " +
                                   difference_of(expected.numbers[n], seen) +
                                   " as in a new session");
    }
}

/// The commands before the first that adds rows or drops some: a reset leaves as many as it finds.
Case with_as_many_rows(const Case& test_case) {
    Case earlier = test_case;
    const auto changes = [&](const Command& command) {
        return rows_after(command, test_case.spec.rows) != test_case.spec.rows;
    };
    earlier.program.erase(std::find_if(earlier.program.begin(), earlier.program.end(), changes),
                          earlier.program.end());
    return earlier;
}

/// The case in a session that held other contents and was then made new by `resets`.
void judge_after(Judge& judge, Subject& subject, const Case& test_case, Oracle& oracle,
                 const Run& expected, const std::vector<Command>& resets) {
    Case reused = with_contents(with_as_many_rows(test_case),
                                finite_contents(test_case.spec).front(), every_token);
    reused.program.insert(reused.program.end(), resets.begin(), resets.end());
    const Index before = Index(reused.program.size());
    reused.program.insert(reused.program.end(), test_case.program.begin(), test_case.program.end());
    DriveOptions options = asked_for(test_case);
    options.numbers_every_step = true;
    Run run = drive(subject, reused, options);
    if (!run.trouble && !expected.trouble) judge_same_numbers(judge, expected, run, before);
    std::erase_if(run.observations, [&](const Observation& seen) { return seen.command < before; });
    judge_same_outputs(judge, subject.capabilities(), oracle, expected, run);
}

}  // namespace

Verdict reset_is_fresh(Subject& subject, const Case& test_case, Oracle& oracle) {
    const FeatureSet features = subject.capabilities().features;
    if (!features.has_any({Feature::reset, Feature::reset_row})) {
        return Verdict::skipped("neither reset nor reset_row");
    }
    Judge judge(subject.capabilities());
    DriveOptions options = asked_for(test_case);
    options.numbers_every_step = true;
    const Run expected = drive(subject, test_case, options);
    if (features.has(Feature::reset)) {
        judge.in_variant("in a session that was reset");
        judge_after(judge, subject, test_case, oracle, expected, {Reset{}});
    }
    if (features.has(Feature::reset_row)) {
        std::vector<Command> resets;
        for (Index row = 0; row < test_case.spec.rows; ++row) resets.emplace_back(Reset{row});
        judge.in_variant("in a session that was reset row by row");
        judge_after(judge, subject, test_case, oracle, expected, resets);
    }
    return judge.verdict();
}

}  // namespace kvcheck
