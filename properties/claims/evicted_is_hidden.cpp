// SPDX-License-Identifier: Apache-2.0
// Clause 10: no later query sees an evicted slot, whatever it holds; all others see what they saw,
// under the ids they had.
#include <array>

#include "properties/catalogue.hpp"
#include "properties/drive/afterlife.hpp"

namespace kvcheck {
namespace {

/// One slot, the first of each row, the last, or one between, or all of the first half; `turn` says
/// which.
std::optional<Evict> evict_of(Index row, Index length, Index turn) {
    if (length == 0) return std::nullopt;
    const std::array<Evict, 4> choices = {Evict{row, 0, 1}, Evict{row, length - 1, length},
                                          Evict{row, length / 2, length / 2 + 1},
                                          Evict{row, 0, (length + 1) / 2}};
    return choices[std::size_t(turn) % choices.size()];
}

}  // namespace

Verdict evicted_is_hidden(Subject& subject, const Case& test_case, Oracle& oracle) {
    Judge judge(subject.capabilities());
    for (const std::size_t past : pasts_of(test_case)) {
        Continuation life(test_case, past, subject.capabilities().features);
        for (Index r = 0; r < life.state().row_count(); ++r) {
            if (const auto evict = evict_of(r, life.state().row(r).length(), r + Index(past)))
                life.add(*evict);
        }
        Afterlife(judge, subject, std::move(life), oracle).judge_forgotten();
    }
    return judge.verdict();
}

}  // namespace kvcheck
