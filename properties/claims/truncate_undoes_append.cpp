// SPDX-License-Identifier: Apache-2.0
// Clause 10: tokens that were appended and taken back leave nothing behind. The rest of the row is
// right, its numbers are the contract's, and what the tokens held changes no bit of what follows.
#include "properties/catalogue.hpp"
#include "properties/drive/afterlife.hpp"

namespace kvcheck {
namespace {

/// Takes rows back to what `before` had: all at once where the subject knows nothing else and they
/// are equally long. False where it cannot.
bool take_back(Continuation& life, const CacheState& before) {
    if (life.features().has(Feature::truncate_row)) {
        for (Index r = 0; r < before.row_count(); ++r) {
            const Index length = before.row(r).length();
            if (life.state().row(r).length() > length) life.add(Truncate{length, r});
        }
        return true;
    }
    const Index length = before.row(0).length();
    for (Index r = 1; r < before.row_count(); ++r) {
        if (before.row(r).length() != length) return false;
    }
    life.add(Truncate{length, std::nullopt});
    return true;
}

/// Evicts the first slot of every row that grew: what is taken back takes that along.
void evict_drafts(Continuation& life, const CacheState& before) {
    for (Index r = 0; r < before.row_count(); ++r) {
        const Index length = before.row(r).length();
        if (life.state().row(r).length() > length) life.add(Evict{r, length, length + 1});
    }
}

}  // namespace

Verdict truncate_undoes_append(Subject& subject, const Case& test_case, Oracle& oracle) {
    Judge judge(subject.capabilities());
    const bool can_evict = subject.capabilities().features.has(Feature::evict);
    for (const std::size_t past : pasts_of(test_case)) {
        for (const bool evicts : {false, true}) {
            if (evicts && !can_evict) continue;
            Continuation life(test_case, past, subject.capabilities().features);
            const CacheState before = life.state();
            if (!life.append(2)) continue;
            if (evicts) evict_drafts(life, before);
            if (!take_back(life, before)) continue;
            Afterlife(judge, subject, std::move(life), oracle).judge_forgotten();
        }
    }
    return judge.verdict();
}

}  // namespace kvcheck
