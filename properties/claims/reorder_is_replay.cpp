// SPDX-License-Identifier: Apache-2.0
// Clause 10: after a reorder each row goes on as its source would have: rows that change places in
// a circle, one of them in every place, and, of a subject that can, twice as many, or one. Tokens
// that only dropped rows held change no bit of what follows.
#include "properties/catalogue.hpp"
#include "properties/drive/afterlife.hpp"

namespace kvcheck {
namespace {

std::vector<Reorder> reorders_of(Index rows, const FeatureSet& features) {
    Reorder turned;
    Reorder last_everywhere;
    Reorder twice;
    for (Index r = 0; r < rows; ++r) {
        turned.sources.push_back((r + 1) % rows);
        last_everywhere.sources.push_back(rows - 1);
        twice.sources.insert(twice.sources.end(), {r, r});
    }
    if (!features.has_all({Feature::varying_rows, Feature::batch}))
        return {turned, last_everywhere};
    return {turned, last_everywhere, twice, Reorder{{rows - 1}}};
}

}  // namespace

Verdict reorder_is_replay(Subject& subject, const Case& test_case, Oracle& oracle) {
    const FeatureSet& features = subject.capabilities().features;
    Judge judge(subject.capabilities());
    for (const std::size_t past : pasts_of(test_case)) {
        const Continuation before(test_case, past, features);
        for (const Reorder& reorder : reorders_of(before.state().row_count(), features)) {
            Continuation life = before;
            life.add(reorder);
            Afterlife(judge, subject, std::move(life), oracle).judge_forgotten();
        }
    }
    return judge.verdict();
}

}  // namespace kvcheck
