// SPDX-License-Identifier: Apache-2.0
// Clause 13 for full-width storage: what a subject exports of a real token is the input itself at
// attention level, and within the projection's bound at layer level. What it keeps of padding is
// its own business.
#include <fmt/format.h>

#include "properties/catalogue.hpp"
#include "properties/drive/judge.hpp"

namespace kvcheck {

Verdict stored_kv_matches_the_oracle(Subject& subject, const Case& value, Oracle& oracle) {
    Judge judge(subject.capabilities());
    const Run run = drive(subject, value);
    judge.trouble(run);
    if (judge.failed()) return judge.verdict();
    const auto history = history_of(value);
    for (std::size_t e = 0; e < history.size(); ++e) {
        for (std::size_t r = 0; r < history[e].size(); ++r) {
            const RowTruth& truth = oracle.row(history[e][r]);
            const StoredRow& stored = run.stored[e][r];
            for (std::size_t slot = 0; slot < history[e][r].size(); ++slot) {
                if (!history[e][r][slot].real) continue;
                const auto compare = [&](const std::vector<Answer>& answers,
                                         const std::vector<double>& seen, const char* what) {
                    for (std::size_t i = 0; i < answers.size(); ++i) {
                        judge.within(answers[i], seen[i], std::string("stored ") + what, [&] {
                            return fmt::format("{}, stored {}, element {}", place_of(e, r, slot),
                                               what, i);
                        });
                    }
                };
                compare(truth.key[slot], stored.key[slot], "key");
                compare(truth.value[slot], stored.value[slot], "value");
            }
        }
    }
    return judge.verdict();
}

}  // namespace kvcheck
