// SPDX-License-Identifier: Apache-2.0
// Clauses 1 to 3 at the sizes of real use: every output of a long prefill, or of the last steps of
// a long decode, against the oracle. The prefix of a decode is there to be attended to; its own
// outputs are those of a prefill and would take as long.
#include <algorithm>

#include "properties/catalogue.hpp"
#include "properties/drive/asked.hpp"
#include "properties/drive/judge.hpp"

namespace kvcheck {
namespace {

/// The first of the calls at the end that bring each row one token at most; the first of all where
/// the program does not end with such a call.
Index judged_from(const Case& test_case) {
    const auto is_step = [](const Command& command) {
        const auto* const append = std::get_if<Append>(&command);
        return append != nullptr &&
               std::all_of(append->rows.begin(), append->rows.end(),
                           [](const auto& tokens) { return tokens.size() <= 1; });
    };
    Index first = Index(test_case.program.size());
    while (first > 0 && is_step(test_case.program[std::size_t(first - 1)])) --first;
    return first < Index(test_case.program.size()) ? first : 0;
}

}  // namespace

Verdict large_cases(Subject& subject, const Case& test_case, Oracle& oracle) {
    Judge judge(subject.capabilities());
    const Index first = judged_from(test_case);
    const auto is_judged = [&](const Output& output) {
        return is_living(output) && output.seen().command >= first;
    };
    judge_outputs(judge, drive(subject, test_case, outputs_only()), oracle, is_judged,
                  Judged::Staging::exports, Answered::all);
    return judge.verdict();
}

}  // namespace kvcheck
