// SPDX-License-Identifier: Apache-2.0
// Clause 7: after every command each number that a subject reports is the contract's, and the
// entries that were there before keep their bits.
#include <fmt/format.h>

#include <algorithm>

#include "model/cache_state.hpp"
#include "model/types/ieee.hpp"
#include "properties/catalogue.hpp"
#include "properties/drive/judge.hpp"

namespace kvcheck {
namespace {

void judge_number(Judge& judge, const std::optional<Index>& seen, Index right, const char* name,
                  const std::string& place) {
    if (!seen) return;
    judge.count();
    if (*seen != right) {
        judge.fault(name,
                    fmt::format("{}: {} is {}, the contract says {}", place, name, *seen, right));
    }
}

void judge_numbers(Judge& judge, const RowNumbers& seen, const RowState& right,
                   const std::string& place) {
    const Index length = right.length();
    judge_number(judge, seen.length, length, "length", place);
    judge_number(judge, seen.visible_count, right.visible_count(), "visible count", place);
    judge_number(judge, seen.retained_count, length, "retained count", place);
    judge_number(judge, seen.next_slot, length, "next slot", place);
    judge_number(judge, seen.next_id, right.position_id(length), "next id", place);
    judge_number(judge, seen.write_end, length, "write end", place);
}

void judge_kept(Judge& judge, const StoredRow& before, const StoredRow& after,
                const std::string& place) {
    const auto compare = [&](const auto& old_entries, const auto& new_entries, const char* what) {
        for (std::size_t slot = 0; slot < old_entries.size(); ++slot) {
            for (std::size_t i = 0; i < old_entries[slot].size(); ++i) {
                judge.same(old_entries[slot][i], new_entries[slot][i], "earlier entry", [&] {
                    return fmt::format("{}: the stored {} of slot {}, element {}", place, what,
                                       slot, i);
                });
            }
        }
    };
    compare(before.key, after.key, "key");
    compare(before.value, after.value, "value");
}

}  // namespace

Verdict cache_grows_exactly(Subject& subject, const Case& value, Oracle&) {
    Judge judge(subject.capabilities());
    DriveOptions options;
    options.export_every_step = true;
    options.numbers_every_step = true;
    const Run run = drive(subject, value, options);
    judge.trouble(run);
    const bool silent = std::all_of(run.numbers.begin(), run.numbers.end(), [](const auto& rows) {
        return std::all_of(rows.begin(), rows.end(),
                           [](const RowNumbers& row) { return row == RowNumbers{}; });
    });
    if (silent && !judge.failed() && !subject.capabilities().features.has(Feature::kv_export)) {
        return Verdict::skipped("no row numbers and no kv_export");
    }
    CacheState state(value.spec, position_count(value.spec, value.parameters));
    for (std::size_t n = 0; n < value.program.size() && !judge.failed(); ++n) {
        const auto* append = std::get_if<Append>(&value.program[n]);
        if (append != nullptr)
            state.apply(*append);
        else
            state.apply(Reset{});
        for (Index r = 0; r < value.spec.rows; ++r) {
            const auto row = std::size_t(r);
            const std::string place = fmt::format("after command {}, row {}", n, r);
            judge_numbers(judge, run.numbers[n][row], state.row(r), place);
            if (append == nullptr || n == 0 || run.stored[n].empty()) continue;
            judge_kept(judge, run.stored[n - 1][row], run.stored[n][row], place);
        }
    }
    return judge.verdict();
}

}  // namespace kvcheck
