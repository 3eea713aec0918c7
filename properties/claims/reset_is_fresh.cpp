// SPDX-License-Identifier: Apache-2.0
// Clause 10: a session that held something else and was reset gives the bits of a new one.
#include "properties/catalogue.hpp"
#include "properties/drive/asked.hpp"
#include "properties/drive/judge.hpp"
#include "properties/drive/variants.hpp"

namespace kvcheck {

Verdict reset_is_fresh(Subject& subject, const Case& test_case, Oracle& oracle) {
    const Capabilities& capabilities = subject.capabilities();
    Judge judge(capabilities);
    Case reused = with_contents(test_case, finite_contents().front(), every_token);
    reused.program.emplace_back(Reset{});
    const Index before = Index(reused.program.size());
    reused.program.insert(reused.program.end(), test_case.program.begin(), test_case.program.end());

    DriveOptions options = asked_for(test_case);
    options.numbers_every_step = true;
    const Run expected = drive(subject, test_case, options);
    Run run = drive(subject, reused, options);
    judge.in_variant("in a session that was reset");
    if (!run.trouble) {
        std::erase_if(run.observations,
                      [&](const Observation& seen) { return seen.command < before; });
        for (std::size_t n = 0; n < test_case.program.size() && !expected.trouble; ++n) {
            if (run.numbers[std::size_t(before) + n] != expected.numbers[n]) {
                judge.fault("numbers", "after command " + std::to_string(n) +
                                           " the row numbers differ from a new session's");
            }
        }
    }
    judge_same_outputs(judge, capabilities, oracle, expected, run);
    return judge.verdict();
}

}  // namespace kvcheck
