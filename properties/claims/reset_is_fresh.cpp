// SPDX-License-Identifier: Apache-2.0
// Clause 10: a session that held something else and was reset gives the bits of a new one.
#include "properties/catalogue.hpp"
#include "properties/drive/judge.hpp"
#include "properties/drive/variants.hpp"

namespace kvcheck {

Verdict reset_is_fresh(Subject& subject, const Case& value, Oracle& oracle) {
    const Capabilities& capabilities = subject.capabilities();
    Judge judge(capabilities);
    const auto history = history_of(value);
    const Case other =
        with_contents(value, Part::all, finite_contents().front(),
                      [](std::size_t, std::size_t, std::size_t, const Token&) { return true; });
    Case reused = other;
    reused.program.emplace_back(Reset{});
    reused.program.insert(reused.program.end(), value.program.begin(), value.program.end());

    DriveOptions options;
    options.numbers_every_step = true;
    const Run expected = drive(subject, value, options);
    Run run = drive(subject, reused, options);
    if (!run.trouble) {
        // Only what came after the reset in between is compared.
        const auto first = std::ptrdiff_t(history.size());
        run.tokens.erase(run.tokens.begin(), run.tokens.begin() + first);
        run.stored.erase(run.stored.begin(), run.stored.begin() + first);
        const std::size_t after = value.program.size() + 1;
        for (std::size_t n = 0; n < value.program.size() && !expected.trouble; ++n) {
            if (run.numbers[after + n] != expected.numbers[n]) {
                judge.fault("numbers", "after a reset and command " + std::to_string(n) +
                                           ": the row numbers differ from a new session's");
            }
        }
    }
    judge_same_outputs(judge, capabilities, oracle, history, expected, run,
                       "in a session that was reset, ");
    return judge.verdict();
}

}  // namespace kvcheck
