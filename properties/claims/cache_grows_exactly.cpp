// SPDX-License-Identifier: Apache-2.0
// Clause 7: after every command each number that a subject reports is the contract's, and the
// entries that were there before keep their bits.
#include <algorithm>
#include <unordered_map>

#include "properties/catalogue.hpp"
#include "properties/drive/row_numbers.hpp"

namespace kvcheck {
namespace {

/// Entries as they were when they were first shown; their tokens live as long as the run.
using FirstShown = std::unordered_map<const Node*, const StoredRow*>;

/// What is shown of a token has the bits that were shown first, in whatever row it stands by now.
void judge_kept(Judge& judge, FirstShown& shown, const StoredRow& stored, Place place) {
    const auto compare = [&](const auto& old_entry, const auto& new_entry, const char* what) {
        for (std::size_t i = 0; i < old_entry.size(); ++i) {
            place.element = Index(i);
            judge.same(old_entry[i], new_entry[i], what, place, "earlier entry");
        }
    };
    for (const Node* token : stored.history.tokens()) {
        // What is stored of padding, or of what is evicted, is not specified.
        if (!token->token.real || stored.history.is_evicted(token->slot)) continue;
        const auto slot = std::size_t(token->slot);
        const StoredRow* const first = shown.emplace(token, &stored).first->second;
        place.slot = token->slot;
        // A shift turns keys that are stored turned.
        if (!stored.rotated || first->history.shift() == stored.history.shift())
            compare(first->key[slot], stored.key[slot], "stored key");
        compare(first->value[slot], stored.value[slot], "stored value");
    }
}

bool is_silent(const Run& run) {
    return std::all_of(run.numbers.begin(), run.numbers.end(), [](const auto& rows) {
        return std::all_of(rows.begin(), rows.end(),
                           [](const RowNumbers& row) { return row == RowNumbers{}; });
    });
}

}  // namespace

Verdict cache_grows_exactly(Subject& subject, const Case& test_case, Oracle&) {
    Judge judge(subject.capabilities());
    DriveOptions options;
    options.export_every_step = true;
    options.numbers_every_step = true;
    const Run run = drive(subject, test_case, options);
    judge.trouble(run);
    if (judge.failed()) return judge.verdict();
    if (is_silent(run) && !subject.capabilities().features.has(Feature::kv_export)) {
        return Verdict::skipped("no row numbers and no kv_export");
    }
    CacheState state(test_case.spec, position_count(test_case.spec, test_case.parameters));
    judge_numbers(judge, test_case, run);
    FirstShown shown;
    auto exported = run.exports.begin();
    for (std::size_t n = 0; n < test_case.program.size() && !judge.failed(); ++n) {
        state.apply(test_case.program[n]);
        Place place;
        place.command = Index(n);
        for (place.row = 0; place.row < state.row_count(); ++place.row) {
            if (exported == run.exports.end()) continue;
            judge_kept(judge, shown, (exported++)->stored, place);
        }
    }
    return judge.verdict();
}

}  // namespace kvcheck
