// SPDX-License-Identifier: Apache-2.0
// Clause 10: a finished row takes no more tokens. A call that gives it one is refused as a whole,
// the others go on, and what the row has stays; also once the row was cut, copied, moved or
// saved and loaded.
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
        // Nothing else is to be wrong with it.
        if (!state.objection(wrong).empty()) wrong.rows.assign(wrong.rows.size(), {});
        wrong.rows[std::size_t(r)].assign(1, zero_token(spec, true));
        Damage damage;
        damage.what = fmt::format("a token for row {}, which is finished", r);
        calls.push_back({std::move(wrong), std::move(damage)});
    }
    return calls;
}

/// What may happen to the finished row before it is given a token: nothing, a cut, a copy, a
/// reload, a move.
std::vector<std::optional<Command>> between_of(const Case& test_case, std::size_t past,
                                               const Subject& subject) {
    const FeatureSet& features = subject.capabilities().features;
    const Continuation life(test_case, past, features);
    const Index rows = life.state().row_count();
    std::vector<std::optional<Command>> list = {std::nullopt, Command(Finish{rows - 1})};
    if (features.has(Feature::truncate_row)) list.emplace_back(Truncate{0, rows - 1});
    if (features.has_all({Feature::fork, Feature::batch})) list.emplace_back(Fork{rows - 1});
    if (features.has(Feature::save)) list.emplace_back(Reload{});
    if (!features.has(Feature::reorder)) return list;
    Reorder turned;
    for (Index r = 0; r < rows; ++r) turned.sources.push_back((r + 1) % rows);
    list.emplace_back(std::move(turned));
    return list;
}

}  // namespace

Verdict finished_rows_stay(Subject& subject, const Case& test_case, Oracle& oracle) {
    const std::vector<std::size_t> pasts = pasts_of(test_case);
    if (pasts.empty()) return Verdict::distrusted("no row holds a token");
    Verdict passed = Verdict::distrusted("the subject cannot be given the case");
    for (const std::optional<Command>& between : between_of(test_case, pasts.front(), subject)) {
        Continuation life(test_case, pasts.front(), subject.capabilities().features);
        // The last row, so that a single one has met all there is to meet, too.
        life.add(Finish{life.state().row_count() - 1});
        if (between) life.add(*between);
        life.append_twice();
        if (!life.is_admitted()) continue;
        Verdict verdict = judge_refusals(
            subject, life.test_case(), oracle, [&](const CacheState& state, const Append& next) {
                return tokens_for_finished(test_case.spec, state, next);
            });
        if (verdict.variant.empty()) verdict.variant = "with " + life.added() + " after it";
        verdict.driven = std::make_shared<const Case>(life.test_case());
        if (verdict.is_failure()) return verdict;
        passed = verdict;
    }
    return passed;
}

}  // namespace kvcheck
