// SPDX-License-Identifier: Apache-2.0
// Clause 10: a finished row takes no more tokens. A call that gives it one is refused as a whole,
// the others go on, and what the row has stays.
#include <fmt/format.h>

#include "properties/catalogue.hpp"
#include "properties/claims/refusals.hpp"
#include "properties/drive/continuation.hpp"

namespace kvcheck {
namespace {

/// Calls that give a finished row one token besides what is right.
std::vector<WrongCall> tokens_for_finished(const Spec& spec, const CacheState& state,
                                           const Append& next) {
    std::vector<WrongCall> calls;
    for (Index r = 0; r < state.row_count(); ++r) {
        if (!state.row(r).is_finished()) continue;
        Append wrong = next;
        wrong.rows[std::size_t(r)].assign(1, zero_token(spec, true));
        Damage damage;
        damage.what = fmt::format("a token for row {}, which is finished", r);
        calls.push_back({std::move(wrong), std::move(damage)});
    }
    return calls;
}

}  // namespace

Verdict finished_rows_stay(Subject& subject, const Case& test_case, Oracle& oracle) {
    const std::vector<std::size_t> pasts = pasts_of(test_case);
    if (pasts.empty()) return Verdict::distrusted("no row holds a token");
    Continuation life(test_case, pasts.front(), subject.capabilities().features);
    // The last row, so that a single one has met all there is to meet, too.
    life.add(Finish{life.state().row_count() - 1});
    life.append_twice();
    if (!life.is_admitted()) return Verdict::distrusted("the subject cannot be given the case");
    return judge_refusals(subject, life.test_case(), oracle,
                          [&](const CacheState& state, const Append& next) {
                              return tokens_for_finished(test_case.spec, state, next);
                          });
}

}  // namespace kvcheck
