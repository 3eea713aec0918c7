// SPDX-License-Identifier: Apache-2.0
// Clause 13: what a subject exports of a real token is the input itself at attention level, and
// within the projection's bound at layer level; of a subject that stores its keys rotated, within
// the bound of the rotation at both. In narrow storage it is the rounding of such a number. What it
// keeps of padding is not specified.
#include "properties/catalogue.hpp"
#include "properties/drive/asked.hpp"
#include "properties/drive/judge.hpp"

namespace kvcheck {

Verdict stored_kv_matches_the_oracle(Subject& subject, const Case& test_case, Oracle& oracle) {
    Judge judge(subject.capabilities());
    const Run run = drive(subject, test_case, asked_for(test_case));
    judge.trouble(run);
    if (judge.failed()) return judge.verdict();
    Truths truths(oracle);
    for (const Run::Export& exported : run.exports) {
        Place place;
        place.row = exported.row;
        for (auto token = exported.stored.history.last(); token; token = token->before) {
            const StoredTruth& right = truths.stored(token);
            if (!right.in_domain) continue;
            place.slot = token->slot;
            const auto slot = std::size_t(token->slot);
            const bool rotated = exported.stored.rotated;
            const std::vector<double>& key = exported.stored.key[slot];
            for (std::size_t i = 0; i < right.shown_key(rotated).size(); ++i) {
                place.element = Index(i);
                judge.within(right.answer_of_key(rotated, i, key[i]), key[i], "stored key", place);
            }
            const std::vector<double>& value = exported.stored.value[slot];
            for (std::size_t i = 0; i < right.value.size(); ++i) {
                place.element = Index(i);
                judge.within(right.answer_of_value(i, value[i]), value[i], "stored value", place);
            }
        }
    }
    return judge.verdict();
}

}  // namespace kvcheck
