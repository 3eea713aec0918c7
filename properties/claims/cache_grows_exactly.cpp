// SPDX-License-Identifier: Apache-2.0
// Clause 7: after every command each number that a subject reports is the contract's, and the
// entries that were there before keep their bits.
#include <algorithm>

#include "properties/catalogue.hpp"
#include "properties/drive/judge.hpp"

namespace kvcheck {
namespace {

void judge_numbers(Judge& judge, const RowNumbers& seen, const RowNumbers& right,
                   const Place& place) {
    std::vector<std::optional<Index>> rights;
    for_each_field(right, [&](std::string_view, const std::optional<Index>& number) {
        rights.push_back(number);
    });
    std::size_t n = 0;
    for_each_field(seen, [&](std::string_view name, const std::optional<Index>& number) {
        const std::optional<Index>& expected = rights[n++];
        if (number && expected) judge.count(*expected, *number, name, place);
    });
}

void judge_kept(Judge& judge, const StoredRow& before, const StoredRow& after, Place place) {
    const auto compare = [&](const auto& old_entries, const auto& new_entries, const char* what) {
        for (std::size_t slot = 0; slot < old_entries.size(); ++slot) {
            place.slot = Index(slot);
            for (std::size_t i = 0; i < old_entries[slot].size(); ++i) {
                place.element = Index(i);
                judge.same(old_entries[slot][i], new_entries[slot][i], what, place,
                           "earlier entry");
            }
        }
    };
    compare(before.key, after.key, "stored key");
    compare(before.value, after.value, "stored value");
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
    std::vector<const StoredRow*> last(std::size_t(state.row_count()), nullptr);
    auto exported = run.exports.begin();
    for (std::size_t n = 0; n < test_case.program.size() && !judge.failed(); ++n) {
        state.apply(test_case.program[n]);
        Place place;
        place.command = Index(n);
        for (place.row = 0; place.row < state.row_count(); ++place.row) {
            const auto row = std::size_t(place.row);
            judge_numbers(judge, run.numbers[n][row], state.numbers(place.row), place);
            if (exported == run.exports.end()) continue;
            const StoredRow& stored = (exported++)->stored;
            // A command that takes something back leaves nothing to compare with.
            if (last[row] != nullptr && stored.history.continues(last[row]->history)) {
                judge_kept(judge, *last[row], stored, place);
            }
            last[row] = &stored;
        }
    }
    return judge.verdict();
}

}  // namespace kvcheck
