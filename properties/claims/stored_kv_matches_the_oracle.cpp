// SPDX-License-Identifier: Apache-2.0
// Clause 13: what a subject exports of a real token is the input itself at attention level, and
// within the projection's bound at layer level; of a subject that stores its keys rotated, within
// the bound of the rotation at both. In narrow storage it is the rounding of such a number. What it
// keeps of padding is not specified.
#include "properties/catalogue.hpp"
#include "properties/drive/asked.hpp"
#include "properties/drive/judge.hpp"

namespace kvcheck {

namespace {

/// Whether all keys that the subject showed are right where they are taken for rotated, or for what
/// was before.
bool all_keys_are_right(const Run& run, Truths& truths, bool rotated, int digits) {
    for (const Run::Export& exported : run.exports) {
        if (rotated && exported.stored.history.shift() > 0) continue;  // turned back since then
        for (auto token = exported.stored.history.last(); token; token = token->before) {
            const StoredTruth& right = truths.stored(token);
            if (!right.in_domain || exported.stored.history.is_evicted(token->slot)) continue;
            const std::vector<double>& seen = exported.stored.key[std::size_t(token->slot)];
            for (std::size_t i = 0; i < right.shown_key(rotated).size(); ++i) {
                const Answer answer = right.answer_of_key(rotated, i, seen[i]);
                if (!deviation_of(seen[i], answer, digits).within()) return false;
            }
        }
    }
    return true;
}

/// Where the keys are right, but for what is declared of them.
std::string hint_of(const Run& run, Truths& truths, const Subject& subject) {
    const Capabilities& capabilities = subject.capabilities();
    const bool declared = capabilities.features.has(Feature::rotated_keys);
    if (!all_keys_are_right(run, truths, !declared, capabilities.profile.digits)) return {};
    return declared ? "all keys are right as they were before their rotation, so rotated_keys is "
                      "declared wrongly"
                    : "all keys are right as they are after their rotation, which the feature "
                      "rotated_keys declares";
}

}  // namespace

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
            if (!right.in_domain || exported.stored.history.is_evicted(token->slot)) continue;
            place.slot = token->slot;
            const auto slot = std::size_t(token->slot);
            const bool rotated = exported.stored.rotated;
            const std::vector<double>& key = exported.stored.key[slot];
            const bool is_turned_back = rotated && exported.stored.history.shift() > 0;
            for (std::size_t i = 0; i < right.shown_key(rotated).size() && !is_turned_back; ++i) {
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
    Verdict verdict = judge.verdict();
    const bool is_of_keys = verdict.evidence && verdict.evidence->what == "stored key";
    if (is_of_keys && oracle.spec().rotary != Rotary::none)
        verdict.hint = hint_of(run, truths, subject);
    return verdict;
}

}  // namespace kvcheck
